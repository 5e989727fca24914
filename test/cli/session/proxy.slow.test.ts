import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newCertificate } from '../../support/certificate.ts';
import { serve, settings, shell } from '../../support/cli.ts';
import { startProxy } from '../../support/tunnels.ts';
import { temporaryFolder } from '../../support/temp.ts';

test('commands reach a service through the proxy of HTTPS_PROXY, which sees no token and no book', async (t) => {
  const cwd = await temporaryFolder(t);
  const { cert, key } = await newCertificate('books.test');
  await writeFile(join(cwd, 'cert.pem'), cert);
  await writeFile(join(cwd, 'key.pem'), key);
  const service = await serve(t, cwd, { ...settings, TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' });
  const proxy = await startProxy(t, { login: 'me:h@sh', port: Number(new URL(service.url).port) });
  const env = {
    NODE_EXTRA_CA_CERTS: 'cert.pem',
    https_proxy: `http://me:h%40sh@${proxy.host}`,
    SHELFLIST_URL: 'https://books.test',
    SHELFLIST_USERNAME: settings.AUTH_USERNAME,
    SHELFLIST_PASSWORD: settings.AUTH_PASSWORD,
  };
  const line =
    'shelflist health && shelflist login && shelflist add -t "Emma of this test" && shelflist list';
  const { code, stdout, stderr } = await shell(line, { cwd, env });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '1\tEmma of this test\t\t0\n'.repeat(2));
  assert.ok(proxy.asked.length >= 4);
  for (const each of proxy.asked) assert.match(each, /^books\.test:443 Basic \S+$/);
  assert.doesNotMatch(proxy.bytes(), /Emma|of-this-test|(GET|POST|PUT) \//);
  assert.match(proxy.bytes(), /CONNECT books\.test:443 HTTP\/1\.1/);

  const before = proxy.asked.length;
  const direct = await shell('shelflist health', { cwd, env: { ...env, NO_PROXY: '.test' } });
  assert.match(direct.stderr, /unknown host/);
  assert.equal(proxy.asked.length, before);

  // Certificates are those of the service: the proxy cannot read what passes.
  const { stderr: untrusted } = await shell('shelflist health', {
    cwd,
    env: { ...env, NODE_EXTRA_CA_CERTS: '' },
  });
  assert.match(untrusted, /authority that Node does not know; .+ the connection goes through the proxy/);
});

test('an HTTPS proxy gets its login only with a certificate of its own name, not of the service', async (t) => {
  const cwd = await temporaryFolder(t);
  const ask = async (name: string) => {
    const certificate = await newCertificate(name);
    await writeFile(join(cwd, 'cert.pem'), certificate.cert);
    const proxy = await startProxy(t, { status: 403, certificate });
    const env = {
      NODE_EXTRA_CA_CERTS: 'cert.pem',
      HTTPS_PROXY: `https://me:hush@${proxy.host.replace('127.0.0.1', 'localhost')}`,
      SHELFLIST_URL: 'https://books.test',
    };
    const { stderr } = await shell('shelflist health', { cwd, env });
    return { stderr, asked: proxy.asked };
  };
  const own = await ask('localhost');
  assert.match(own.stderr, /the proxy localhost:[0-9]+ refuses to connect to books\.test:443 \(403\)/);
  const other = await ask('books.test');
  assert.match(other.stderr, /cannot connect to the proxy localhost:[0-9]+: ERR_TLS_CERT_ALTNAME_INVALID/);
  assert.deepEqual(other.asked, []);
});
