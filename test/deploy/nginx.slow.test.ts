import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request as begin, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { createClient } from '../../src/index.ts';
import { newCertificate } from '../support/certificate.ts';
import { cleanEnvironment, serve, settings } from '../support/cli.ts';
import { blocksOf, codeIn, tableOf } from '../support/documents.ts';
import { openStream } from '../support/event-stream.ts';
import { logInTimes } from '../support/logins.ts';
import { freePort, ownAddress, pathRecipe, runNginx, skipWithoutNginx } from '../support/nginx.ts';
import { root, run } from '../support/packed.ts';
import { ask, browse, linkTo } from '../support/page.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';
import { checkProxy, send } from './proxied.ts';

const skip = await skipWithoutNginx();

/** Text with other words in place of some of its own. */
function adapt(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((before, [from, to]) => {
    assert.ok(before.includes(from), from);
    return before.replaceAll(from, to);
  }, text);
}

/** deploy/nginx.conf for other ports and another folder. */
async function siteFor(
  place: string,
  { http, https, service }: { http: number; https: number; service: string },
) {
  return adapt(await readFile(join(root, 'deploy/nginx.conf'), 'utf8'), [
    ['  listen [::]:80;\n', ''],
    ['  listen [::]:443 ssl;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`],
    ['/etc/letsencrypt', `${place}/etc/letsencrypt`],
    ['/var/www/html', `${place}/var/www/html`],
    [ownAddress, service],
  ]);
}

const name = 'books.example';

/** Programs that play the parts of those that need a machine of its own. */
function stubs(place: string, nginx: string, http: number): Record<string, string> {
  return {
    'apt-get': 'exit 0',
    nginx: `exec "$REAL_NGINX" -e stderr -p '${nginx}' -c '${nginx}/nginx.conf' "$@"`,
    systemctl: `[ "$*" = 'reload nginx' ] && kill -HUP "$(cat '${nginx}/nginx.pid')"`,
    // Proves that the name is its own, as Let's Encrypt does; then it takes the certificate that the test has put there.
    certbot: `
      live='${place}/etc/letsencrypt/live/${name}'
      webroot='${place}/var/www/html'
      if [ "$1" = certonly ]; then
        [ "$2 $3 $4 $5 $6" = "--webroot --webroot-path $webroot --domain ${name}" ] && [ "$7" = --deploy-hook ] || exit 2
        echo "$8" > '${place}/hook'
      fi
      mkdir -p "$live" "$webroot/.well-known/acme-challenge"
      echo proof > "$webroot/.well-known/acme-challenge/x"
      [ "$(curl --silent --fail -H 'Host: ${name}' 'http://127.0.0.1:${http}/.well-known/acme-challenge/x')" = proof ]
      cp '${place}/cert.pem' "$live/fullchain.pem"
      cp '${place}/key.pem' "$live/privkey.pem"
      if [ "$1" = renew ]; then sh "$(dirname "$0")/../hook"; fi`,
  };
}

async function fingerprintAt(port: number): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', servername: name, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  return certificate?.fingerprint256;
}

/** A request by plain HTTP to a server of nginx. */
async function plain(port: number, path: string, headers: Record<string, string> = {}) {
  const request = begin({ port, path, headers: { Host: name, ...headers }, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return [response.statusCode, response.headers.location];
}

test(
  'the commands of docs/deployment.md put nginx before a service, with a certificate that is renewed',
  { skip },
  async (t) => {
    const place = await temporaryFolder(t);
    const service = await serve(t, place, { ...settings, TRUSTED_PROXIES: '127.0.0.1', METRICS: 'true' });
    const [http, https] = [await freePort(), await freePort()];
    for (const folder of ['bin', 'deploy', 'etc/nginx/conf.d', 'var/www/html'])
      await mkdir(join(place, folder), { recursive: true });
    // As Debian has it: a default site on port 80.
    const folder = await runNginx(
      t,
      `server { listen 127.0.0.1:${http} default_server; root ${place}/var/www/html; }
     include ${place}/etc/nginx/conf.d/*.conf;`,
    );
    await writeFile(
      join(place, 'deploy/nginx.conf'),
      await siteFor(place, { http, https, service: service.url }),
    );
    for (const [program, script] of Object.entries(stubs(place, folder, http)))
      await writeFile(join(place, 'bin', program), `#!/bin/sh\nset -e\n${script}\n`, { mode: 0o755 });
    const putCertificate = async () => {
      const { cert, key } = await newCertificate(name);
      await writeFile(join(place, 'cert.pem'), cert);
      await writeFile(join(place, 'key.pem'), key);
      return new X509Certificate(cert).fingerprint256;
    };
    await putCertificate();
    await writeFile(
      join(place, '.curlrc'),
      `connect-to = "${name}:443:127.0.0.1:${https}"\ncacert = "${place}/cert.pem"\n`,
    );

    const which = await run('sh', ['-c', 'command -v nginx'], { cwd: place });
    const env = {
      ...cleanEnvironment(place),
      REAL_NGINX: which.stdout.trim(),
      PATH: `${join(place, 'bin')}:${process.env.PATH ?? ''}`,
    };
    const type = async (commands: string) => {
      const { code, stdout, stderr } = await run('bash', ['-euc', commands], { cwd: place, env });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const block =
      blocksOf('docs/deployment.md').find(({ code }) => code.includes('certbot')) ?? assert.fail();
    const commands = adapt(block.code, [
      ['sudo ', ''],
      ['/etc/nginx', `${place}/etc/nginx`],
      ['/var/www', `${place}/var/www`],
    ]);
    assert.match(await type(commands), /"status":200/);

    const url = `https://127.0.0.1:${https}`;
    await checkProxy(url, service);
    assert.deepEqual(await plain(http, '/?book=1'), [301, `https://${name}/?book=1`]);
    assert.deepEqual(await plain(http, '/books', { Authorization: 'x' }), [404, undefined]);
    const page = await send(`${url}/`, { headers: { Accept: 'text/html' } });
    assert.equal(page.headers['strict-transport-security'], 'max-age=31536000');
    const robots = await send(`${url}/robots.txt`, { headers: { 'X-Forwarded-Prefix': '/of-a-stranger' } });
    assert.equal(robots.text, 'User-agent: *\nDisallow: /\n');

    const renewed = await putCertificate();
    await type('certbot renew');
    for (let tries = 1; (await fingerprintAt(https)) !== renewed; tries++)
      assert.ok(tries < 1000, 'nginx still has the old certificate');
  },
);

test(
  'deploy/nginx.conf leads to a unix socket, and each client has its own limit of logins',
  { skip },
  async (t) => {
    const place = await temporaryFolder(t);
    const SOCKET = join(place, 'socket');
    const service = await serve(t, place, { ...settings, SOCKET, TRUSTED_PROXIES: 'unix' });
    const [http, https] = [await freePort(), await freePort()];
    const live = join(place, 'etc/letsencrypt/live', name);
    await mkdir(live, { recursive: true });
    const { cert, key } = await newCertificate(name);
    await writeFile(join(live, 'fullchain.pem'), cert);
    await writeFile(join(live, 'privkey.pem'), key);
    await runNginx(t, await siteFor(place, { http, https, service: `http://unix:${SOCKET}` }));
    const guess = JSON.stringify({ username: 'librarian', password: 'wrong' });
    const claim = { 'X-Forwarded-For': '192.0.2.66' };
    const from = { method: 'POST', body: guess, headers: claim, localAddress: '127.0.0.2' };
    assert.equal((await send(`https://127.0.0.1:${https}/token`, from)).status, 401);
    await service.said(/failed login address="127\.0\.0\.2"/);

    const port = await freePort();
    const recipe = adapt(pathRecipe(), [[`${ownAddress}/`, `http://unix:${SOCKET}:/`]]);
    await runNginx(t, `server { listen 127.0.0.1:${port}; ${recipe} }`);
    assert.equal((await ask(`http://127.0.0.1:${port}/catalogue/readyz`)).status, 200);
  },
);

/** The rows of the table that says who knows the path. */
const rows = tableOf('docs/deployment.md', 'who knows the path');

/** Runs the recipe for a path of a site, as a row of the table says. */
async function startBelow(
  scope: Scope,
  row: (typeof rows)[number],
  serviceAt: (prefix: string) => Promise<string>,
) {
  const [prefix = ''] = codeIn(row['`PREFIX`']);
  const [pass = ''] = codeIn(row['`proxy_pass`']);
  const [header = ''] = codeIn(row['`X-Forwarded-Prefix`']);
  const service = await serviceAt(prefix);
  const recipe = adapt(pathRecipe(), [
    [`proxy_pass ${ownAddress}/;`, `proxy_pass ${pass};`],
    ['X-Forwarded-Prefix /catalogue;', `X-Forwarded-Prefix ${header};`],
    [ownAddress, service],
  ]);
  const port = await freePort();
  // As a site has it that compresses what it serves.
  const compression = 'gzip on; gzip_types application/json; gzip_min_length 1;';
  await runNginx(scope, `server { listen 127.0.0.1:${port}; ${compression} ${recipe} }`);
  return { site: `http://127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/catalogue` };
}

describe('below a path of a site', { skip }, () => {
  test('the table has both ways', () => {
    assert.deepEqual(
      rows.map((row) => row['who knows the path']),
      ['nginx', 'the service'],
    );
  });

  for (const row of rows)
    test(`that ${row['who knows the path'] ?? ''} knows, addresses have it, also those for search engines`, async (t) => {
      const env = { ...settings, PUBLIC_READ: 'true', TRUSTED_PROXIES: '127.0.0.1', METRICS: 'true' };
      let said: ((pattern: RegExp) => Promise<unknown>) | undefined;
      const { site, url } = await startBelow(t, row, async (PREFIX) => {
        const service = await serve(t, await temporaryFolder(t), { ...env, PREFIX });
        said = (pattern) => service.said(pattern);
        return new URL(service.url).origin;
      });
      const client = createClient({ url });
      t.after(() => {
        client.close();
      });
      await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
      const stream = await openStream(t, url);
      for (const title of ['Emma', 'Persuasion']) await client.create({ title });
      assert.deepEqual((await stream.until(1))[0]?.data, { id: 1, change: 'created' });
      stream.close();

      const first = await ask(`${url}/books?limit=1`);
      const [, next = ''] = /^<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? [];
      const second = await ask(new URL(next, `${url}/books`).href);
      assert.match(second.text, /Persuasion/);
      assert.equal((await ask(`${url}/metrics`)).status, 404);
      const book = await ask(`${url}/book/1`, { headers: { 'Accept-Encoding': 'gzip' } });
      assert.equal(book.status, 200);
      assert.match(String(book.headers.etag), /^"/, 'a tag that If-Match matches');

      const page = await browse(`${url}/?limit=1`);
      assert.equal((await browse(linkTo(page, `${url}/`, 'Emma'))).one('h1'), 'Emma');

      const robots = await ask(`${site}/robots.txt`);
      assert.match(robots.text, /^User-agent: \*\nDisallow: \/catalogue\/\nAllow: \/catalogue\/\$\n/);
      const [, sitemap = ''] = /^Sitemap: (.+)$/m.exec(robots.text) ?? [];
      assert.match((await ask(sitemap)).text, new RegExp(`<loc>${url}/\\?book=1</loc>`));

      const huge = await fetch(`${url}/books`, { method: 'POST', body: ' '.repeat(12_000_000) }).catch(
        () => undefined,
      );
      assert.ok(huge === undefined || huge.status === 413);
      await logInTimes(1, url, { username: 'librarian', password: 'wrong' }, { localAddress: '127.0.0.2' });
      await said?.(/failed login address="127\.0\.0\.2"/);
    });
});

test('HTTP Basic of nginx lets readers of a public catalogue in, and nobody write', { skip }, async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'users'), 'reader:{PLAIN}shared\n');
  const { url: service } = await serve(t, folder, { ...settings, PUBLIC_READ: 'true' });
  const port = await freePort();
  const auth = `auth_basic "Readers"; auth_basic_user_file ${folder}/users;`;
  await runNginx(t, `server { listen 127.0.0.1:${port}; ${auth} location / { proxy_pass ${service}; } }`);
  const url = `http://127.0.0.1:${port}`;
  const headers = { Authorization: `Basic ${Buffer.from('reader:shared').toString('base64')}` };
  assert.equal((await ask(`${url}/books`)).status, 401);
  assert.equal((await ask(`${url}/books`, { headers })).status, 200);
  assert.equal((await ask(`${url}/`, { headers: { ...headers, Accept: 'text/html' } })).status, 200);
  assert.equal((await ask(`${url}/book`, { method: 'POST', headers })).status, 401);
});
