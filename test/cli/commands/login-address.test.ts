import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { shelflist } from '../../support/cli.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const password = 'the-password-of-the-dotenv';
const pair = `AUTH_USERNAME=librarian\nAUTH_PASSWORD=${password}\n`;

interface Fake {
  port: number;
  url: string;
  /** Whatever was sent, headers and body included, one text a request. */
  received: string[];
}

/** A server that is not shelflist, but answers every request as one that requires a login: 401. */
async function startFake(context: Scope, redirect?: string): Promise<Fake> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, rawHeaders } = request;
      received.push([method, url, ...rawHeaders, body].join(' '));
      response.writeHead(
        redirect === undefined ? 401 : 307,
        redirect === undefined ? {} : { Location: redirect },
      );
      const message = url?.endsWith('/token') ? 'Invalid credentials' : 'Authorization token required';
      response.end(JSON.stringify({ status: 401, message, data: null }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, received };
}

/** Whether a secret arrived, in any part of any request. */
const hasReceived = ({ received }: Fake, secret: string) => received.some((each) => each.includes(secret));

/** Fills in the addresses of two services: the one that the command talks to, and another one. */
function fill(text: string, here: Fake, other: Fake): string {
  return text
    .replaceAll('{here}', here.url)
    .replaceAll('{herePort}', String(here.port))
    .replaceAll('{other}', other.url)
    .replaceAll('{otherPort}', String(other.port));
}

describe('login sends the password in .env to the service that this .env describes, and to no other', () => {
  interface Row {
    what: string;
    dotenv: string;
    options: string[];
    env: Record<string, string>;
    isSent: boolean;
  }
  const table: Row[] = [
    { what: 'PORT', dotenv: 'PORT={herePort}', options: [], env: {}, isSent: true },
    {
      what: 'PORT, with --url',
      dotenv: 'PORT={herePort}',
      options: ['--url', '{here}/'],
      env: {},
      isSent: true,
    },
    {
      what: 'SHELFLIST_URL',
      dotenv: 'SHELFLIST_URL={here}/\nPORT={otherPort}',
      options: [],
      env: {},
      isSent: true,
    },
    { what: 'HOST 0.0.0.0', dotenv: 'HOST=0.0.0.0\nPORT={herePort}', options: [], env: {}, isSent: true },
    { what: 'PORT_FILE', dotenv: 'PORT_FILE=port', options: [], env: {}, isSent: true },
    {
      what: 'AUTH_PASSWORD_FILE',
      dotenv: 'PORT={herePort}\nAUTH_PASSWORD=\nAUTH_PASSWORD_FILE=password',
      options: [],
      env: {},
      isSent: true,
    },
    { what: 'the default port', dotenv: '', options: ['--url', '{here}'], env: {}, isSent: false },
    {
      what: 'the default port, and SHELFLIST_URL in the environment',
      dotenv: '',
      options: [],
      env: { SHELFLIST_URL: '{here}' },
      isSent: false,
    },
    {
      what: 'another PORT',
      dotenv: 'PORT={otherPort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'another HOST',
      dotenv: 'HOST=127.0.0.2\nPORT={herePort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'HOST localhost',
      dotenv: 'HOST=localhost\nPORT={herePort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'HOST ::1',
      dotenv: 'HOST=::1\nPORT={herePort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    { what: 'port 0', dotenv: 'PORT=0', options: ['--url', '{here}'], env: {}, isSent: false },
    {
      what: 'another SHELFLIST_URL',
      dotenv: 'SHELFLIST_URL={other}\nPORT={herePort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'https',
      dotenv: 'SHELFLIST_URL=https://127.0.0.1:{herePort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'another path',
      dotenv: 'SHELFLIST_URL={here}/a',
      options: ['--url', '{here}/b'],
      env: {},
      isSent: false,
    },
    {
      what: 'an address with a user',
      dotenv: 'SHELFLIST_URL=http://u:p@127.0.0.1:{herePort}',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'another PORT_FILE',
      dotenv: 'PORT_FILE=otherPort',
      options: ['--url', '{here}'],
      env: {},
      isSent: false,
    },
    {
      what: 'another PORT, and HOST and PORT in the environment',
      dotenv: 'PORT={otherPort}',
      options: ['--url', '{here}'],
      env: { HOST: '127.0.0.1', PORT: '{herePort}' },
      isSent: false,
    },
    {
      what: 'another PORT, and all addresses in the environment',
      dotenv: 'PORT={otherPort}',
      options: [],
      env: { PORT: '{herePort}', SHELFLIST_URL: '{here}' },
      isSent: false,
    },
  ];
  for (const { what, dotenv, options, env, isSent } of table) {
    test(`.env with ${what}: ${isSent ? 'sent' : 'not sent'}`, async (context) => {
      const [here, other] = [await startFake(context), await startFake(context)];
      const cwd = await temporaryFolder(context);
      await writeFile(join(cwd, '.env'), pair + fill(dotenv, here, other));
      await writeFile(join(cwd, 'port'), String(here.port));
      await writeFile(join(cwd, 'otherPort'), String(other.port));
      await writeFile(join(cwd, 'password'), password);
      const filled = Object.entries(env).map(([name, value]) => [name, fill(value, here, other)] as const);
      const { code, stderr } = await shelflist(
        ['login', ...options.map((option) => fill(option, here, other))],
        {
          cwd,
          env: Object.fromEntries(filled),
        },
      );
      assert.equal(hasReceived(here, password), isSent, stderr);
      assert.deepEqual(other.received, []);
      assert.ok(here.received.length > 0);
      assert.equal(code, 4);
      if (isSent) {
        assert.match(stderr, /refuses the username librarian with this password \(from \.env\)/);
        return;
      }
      // The username goes nowhere else either.
      assert.ok(!hasReceived(here, 'librarian'));
      assert.match(
        stderr,
        /^shelflist: the password in \.env is for .+; .+ set SHELFLIST_URL=http.+ in \.env\.$/m,
      );
      assert.ok(!stderr.includes(password));
    });
  }

  test('a .env without a password does not cause a prompt', async (context) => {
    const here = await startFake(context);
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, '.env'), 'SHELFLIST_URL=https://books.example');
    const { stderr } = await shelflist(['login', '--url', here.url], { cwd });
    assert.match(stderr, /^shelflist: cannot ask for/);
  });

  test('a redirect does not receive the password', async (context) => {
    const other = await startFake(context);
    const here = await startFake(context, `${other.url}/token`);
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, '.env'), `${pair}PORT=${here.port}`);
    await shelflist(['login'], { cwd });
    assert.deepEqual(other.received, []);
  });

  test('the .env of a parent folder is ignored', async (context) => {
    const here = await startFake(context);
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, '.env'), `${pair}PORT=${here.port}`);
    const below = join(cwd, 'below');
    await mkdir(below);
    const { stderr } = await shelflist(['login', '--url', here.url], { cwd: below });
    assert.ok(!hasReceived(here, password));
    assert.match(stderr, /^shelflist: cannot ask for/);
  });

  test('at a terminal, login says why it prompts', { skip: noTerminal }, async (context) => {
    const here = await startFake(context);
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, '.env'), pair);
    const { screen } = await terminal(`shelflist login --url ${here.url}`, { cwd }, [
      ['Username: ', 'ada'],
      ['Password for ada', 'typed'],
    ]);
    assert.match(screen, /^the password in \.env is for http:\/\/127\.0\.0\.1:8080, not for http/);
    assert.ok(hasReceived(here, 'typed'));
    assert.ok(!hasReceived(here, password));
  });
});

describe('commands talk to the service that the .env beside them describes', () => {
  const table: [dotenv: string, isHere: boolean][] = [
    [`${pair}PORT={herePort}`, true],
    ['SHELFLIST_URL={here}', true],
    ['PORT={herePort}', false], // Of another program: nothing in it says that there is a shelflist.
    [`${pair}SHELFLIST_URL={other}\nPORT={herePort}`, false],
  ];
  for (const [dotenv, isHere] of table) {
    test(`${JSON.stringify(dotenv.replace(password, '…'))}: ${isHere}`, async (context) => {
      const [here, other] = [await startFake(context), await startFake(context)];
      const cwd = await temporaryFolder(context);
      await writeFile(join(cwd, '.env'), fill(dotenv, here, other));
      const { stdout } = await shelflist(['status', '--json'], { cwd });
      assert.equal((JSON.parse(stdout) as { service: string }).service === here.url, isHere);
      const shown = await shelflist(['config', 'show'], { cwd });
      assert.equal(shown.stdout.includes(`SHELFLIST_URL\t${here.url}\t.env `), isHere);
    });
  }

  test('but for --url and SHELFLIST_URL in the environment', async (context) => {
    const [here, other] = [await startFake(context), await startFake(context)];
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, '.env'), `${pair}PORT=${other.port}`);
    await shelflist(['status', '--url', here.url], { cwd });
    await shelflist(['status'], { cwd, env: { SHELFLIST_URL: here.url } });
    assert.equal(here.received.length, 2);
    assert.deepEqual(other.received, []);
  });

  test('and an invalid address in it is an error, which does not show it', async (context) => {
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, '.env'), 'SHELFLIST_URL=http://u:hidden@127.0.0.1');
    for (const command of ['list', 'login', 'status']) {
      const { code, stderr } = await shelflist([command], { cwd });
      assert.equal(code, 2);
      assert.ok(!stderr.includes('hidden'));
    }
  });

  for (const [what, env] of [
    ['a token', { SHELFLIST_TOKEN: 'secret' }],
    ['a password', { SHELFLIST_USERNAME: 'ada', SHELFLIST_PASSWORD: 'secret' }],
    ['a password file', { SHELFLIST_USERNAME: 'ada', SHELFLIST_PASSWORD_FILE: 'password' }],
  ] as const) {
    test(`but send nothing of the environment to what only a .env names: ${what}`, async (context) => {
      const here = await startFake(context);
      const cwd = await temporaryFolder(context);
      await writeFile(join(cwd, '.env'), `SHELFLIST_URL=${here.url}`);
      await writeFile(join(cwd, 'password'), 'secret');
      for (const command of ['list', 'login', 'status', 'doctor']) {
        const { stderr } = await shelflist([command], { cwd, env });
        assert.ok(!hasReceived(here, 'secret'), command);
        if (command === 'list')
          assert.match(stderr, /the login in the environment is for http:\/\/127\.0\.0\.1:8080/);
      }
      await shelflist(['list'], { cwd, env: { ...env, SHELFLIST_URL: here.url } });
      assert.ok(hasReceived(here, 'secret'));
    });
  }
});
