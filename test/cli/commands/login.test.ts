import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'dotenv';
import { decodeJwt, SignJWT } from 'jose';
import { storedBook } from '../../support/books.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';
import { run, shelflist, shell, titleOf, type Command } from '../../support/cli.ts';

const { service, folder } = await startSession({ after });
const { AUTH_PASSWORD: password = '', SECRET_TOKEN: secret = '' } = parse(
  await readFile(join(folder, '.env'), 'utf8'),
);
const login = { SHELFLIST_USERNAME: 'librarian', SHELFLIST_PASSWORD: password };
const url = { SHELFLIST_URL: service.url };

/** A folder without `.env`: the user is another one there, with no token yet. */
const elsewhere = temporaryFolder;
const tokensOf = (home: string) => join(home, '.cache/shelflist/tokens');

async function tokenFile(home: string): Promise<string> {
  const [name = ''] = await readdir(tokensOf(home));
  return join(tokensOf(home), name);
}

describe('the sources of the username and password', () => {
  const noWay = /; set SHELFLIST_USERNAME and SHELFLIST_PASSWORD, or use --username and --password-stdin\n$/;
  const done =
    /^logged in to http:\/\/127\.0\.0\.1:\d+ as librarian\nuntil [-\d]{10} [:\d]{8}, or longer while you use it\n$/;
  const table: {
    what: string;
    command: Command;
    env: Record<string, string>;
    code: number;
    stderr: RegExp;
  }[] = [
    { what: 'the environment', command: ['login'], env: login, code: 0, stderr: done },
    {
      what: 'a file',
      command: ['login'],
      env: { SHELFLIST_USERNAME: 'librarian', SHELFLIST_PASSWORD_FILE: 'pw' },
      code: 0,
      stderr: done,
    },
    {
      what: 'standard input',
      command: 'shelflist login -u librarian --password-stdin < pw',
      env: {},
      code: 0,
      stderr: done,
    },
    { what: '.env beside it', command: 'cp "$DOTENV" . && shelflist login', env: {}, code: 0, stderr: done },
    {
      what: 'standard input over .env',
      command: 'cp "$DOTENV" . && echo x | shelflist login --password-stdin',
      env: {},
      code: 4,
      stderr:
        /^shelflist: http.+ refuses the username librarian with this password \(from standard input\)\n$/,
    },
    {
      what: 'a wrong password',
      command: ['login'],
      env: { ...login, SHELFLIST_PASSWORD: 'x' },
      code: 4,
      stderr:
        /^shelflist: http.+ refuses the username librarian with this password \(from the environment\)\n$/,
    },
    {
      what: 'empty standard input',
      command: ['login', '-u', 'a', '--password-stdin'],
      env: {},
      code: 4,
      stderr: /^shelflist: standard input is empty: expected the password/,
    },
    { what: 'no terminal', command: ['login'], env: {}, code: 4, stderr: /^shelflist: cannot ask for/ },
    {
      what: 'no terminal, and no password',
      command: ['login', '-u', 'ada'],
      env: {},
      code: 4,
      stderr: noWay,
    },
    {
      what: '.env of another user',
      command: 'cp "$DOTENV" . && shelflist login -u ada',
      env: {},
      code: 4,
      stderr: noWay,
    },
    {
      what: '.env is for this machine only',
      command: 'cp "$DOTENV" . && shelflist login --url http://0.0.0.0:${SHELFLIST_URL##*:}',
      env: {},
      code: 4,
      stderr: noWay,
    },
    {
      what: 'nothing is asked where nobody answers',
      command: ['login', '--url', 'http://127.0.0.1:1'],
      env: {},
      code: 5,
      stderr: /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there/,
    },
    {
      what: 'never an argument',
      command: ['login', '--password', 'x'],
      env: {},
      code: 2,
      stderr: /^shelflist: unknown option '--password'/,
    },
  ];
  for (const { what, command, env, code, stderr } of table) {
    test(`${what}: ${titleOf(command)}: ${code}`, async (context) => {
      const home = await temporaryFolder(context);
      await writeFile(join(home, 'pw'), `${password}\n`);
      const outcome = await run(command, {
        cwd: home,
        env: { ...url, ...env, DOTENV: join(folder, '.env') },
      });
      assert.match(outcome.stderr, stderr);
      assert.ok(!outcome.stderr.includes(password));
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, code);
    });
  }

  test('the prompt at a terminal does not echo the password', { skip: noTerminal }, async (context) => {
    const { code, screen } = await terminal('shelflist login', { cwd: await elsewhere(context), env: url }, [
      ['Username: ', 'librarian'],
      [`Password for librarian at ${service.url}: `, password],
    ]);
    assert.match(screen, /\nlogged in to .+ as librarian\nuntil /);
    assert.ok(!screen.includes(password));
    assert.equal(code, 0);
  });
});

describe('at the prompts', { skip: noTerminal }, () => {
  for (const { key, typed, status, message } of [
    { key: 'Ctrl-D', typed: '\x04', status: 4, message: 'nothing was typed; set ' },
    { key: 'Ctrl-C', typed: '\x03', status: 130, message: 'interrupted' },
  ] as const) {
    for (const [options, prompt] of [
      ['', 'Username: '],
      ['-u ada', 'Password for ada'],
    ] as const) {
      test(`${prompt.trim()}, ${key}: ${status}`, async (context) => {
        const cwd = await elsewhere(context);
        const answers = [[prompt, typed]] as const;
        const { code, screen } = await terminal(`shelflist login ${options}`, { cwd, env: url }, answers);
        assert.ok(screen.includes(`\nshelflist: ${message}`), screen);
        assert.equal(code, status);
      });
    }
  }
});

describe('the stored token', () => {
  test('is in a private file in a private folder', async (context) => {
    const cwd = await elsewhere(context);
    await shell('umask 000; shelflist login', { cwd, env: { ...url, ...login } });
    assert.equal((await stat(await tokenFile(cwd))).mode & 0o777, 0o600);
    assert.equal((await stat(tokensOf(cwd))).mode & 0o777, 0o700);
    assert.equal((await readdir(tokensOf(cwd))).length, 1);
  });

  test('is refused when others can read it', async (context) => {
    const cwd = await elsewhere(context);
    await shelflist(['login'], { cwd, env: { ...url, ...login } });
    await chmod(await tokenFile(cwd), 0o640);
    const { code, stderr } = await shelflist(['list'], { cwd, env: url });
    assert.match(
      stderr,
      /^shelflist: .+ can be read by others \(mode 640\); run `shelflist login` to replace it\n$/,
    );
    assert.equal(code, 4);
    await shelflist(['login'], { cwd, env: { ...url, ...login } });
    assert.equal((await stat(await tokenFile(cwd))).mode & 0o777, 0o600);
    assert.equal((await shelflist(['list'], { cwd, env: url })).code, 0);
  });

  test('cannot be stored: login reports it, other commands work without it', async (context) => {
    const cwd = await elsewhere(context);
    await writeFile(join(cwd, '.cache'), 'a file where the folder should be');
    const env = { ...url, ...login };
    const { code, stderr } = await shelflist(['login'], { cwd, env });
    assert.match(
      stderr,
      /^shelflist: cannot store the token in .+ \(ENOTDIR\); make that folder writable, or set /,
    );
    assert.equal(code, 1);
    const listed = await shelflist(['list'], { cwd, env });
    assert.deepEqual({ code: listed.code, stderr: listed.stderr }, { code: 0, stderr: '' });
  });

  test('is sent to the server that issued it and to no other, redirects included', async (context) => {
    const cwd = await elsewhere(context);
    await shelflist(['login'], { cwd, env: { ...url, ...login } });
    const other = await startStranger(context);
    const { code, stderr } = await shelflist(['list', '--url', other.url], { cwd });
    assert.match(stderr, /^shelflist: not logged in to /);
    assert.equal(code, 4);

    const file = await tokenFile(cwd);
    const digest = createHash('sha256').update(other.url).digest('hex').slice(0, 16);
    await copyFile(file, file.replace(/[0-9a-f]+(?=-[0-9a-f]+\.json$)/, digest));
    assert.equal((await shelflist(['list', '--url', other.url], { cwd })).code, 4, 'a file under its name');

    await shelflist(['list', '--url', other.url], { cwd, env: { SHELFLIST_TOKEN: 'own' } });
    const redirecting = await startStranger(context, (_, response) => {
      response.writeHead(307, { Location: `${other.url}/stolen` }).end();
    });
    const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string };
    await shelflist(['list'], { cwd, env: { SHELFLIST_URL: redirecting.url, SHELFLIST_TOKEN: token } });
    assert.deepEqual(other.requests, ['GET /books?limit=1000 own']);
    assert.deepEqual(redirecting.requests, [`GET /books?limit=1000 ${token}`]);
  });

  test('is not used when SHELFLIST_TOKEN is set', async (context) => {
    const cwd = await elsewhere(context);
    await shelflist(['login'], { cwd, env: { ...url, ...login } });
    const { token } = JSON.parse(await readFile(await tokenFile(cwd), 'utf8')) as { token: string };
    const wrong = await shelflist(['list'], { cwd, env: { ...url, ...login, SHELFLIST_TOKEN: 'x' } });
    assert.match(
      wrong.stderr,
      /refuses the token in SHELFLIST_TOKEN; get a new one, or unset it and run `shelflist login.*`\n$/,
    );
    assert.equal(wrong.code, 4);
    const right = await shelflist(['list'], {
      cwd: await elsewhere(context),
      env: { ...url, SHELFLIST_TOKEN: token },
    });
    assert.equal(right.code, 0);
  });
});

describe('a token that the server refuses', () => {
  async function spoil(home: string): Promise<string> {
    const file = await tokenFile(home);
    const cached = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...cached, token: 'spoilt' }));
    return file;
  }

  for (const commandLine of [['list'], ['list', '--limit', '1'], ['list', '--count']]) {
    test(`is renewed when the credentials are in the environment: ${titleOf(commandLine)}`, async (context) => {
      const cwd = await elsewhere(context);
      const env = { ...url, ...login };
      await shelflist(['login'], { cwd, env });
      const file = await spoil(cwd);
      const { code, stderr } = await run(commandLine, { cwd, env });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.doesNotMatch(await readFile(file, 'utf8'), /spoilt/);
    });
  }

  test('is deleted when the environment has no credentials', async (context) => {
    const cwd = await elsewhere(context);
    await shelflist(['login'], { cwd, env: { ...url, ...login } });
    await spoil(cwd);
    const { code, stderr } = await shelflist(['list'], { cwd, env: url });
    assert.match(
      stderr,
      /^shelflist: http.+ has ended your login: its password or secret may have changed; run `shelflist login`\n$/,
    );
    assert.equal(code, 4);
    assert.deepEqual(await readdir(tokensOf(cwd)), []);
  });

  test('is renewed only once', async (context) => {
    const server = await startStranger(context, (request, response) => {
      const [status, message, data] =
        request.url === '/token'
          ? [200, 'Token generated successfully', { token: 'new' }]
          : [401, 'Invalid token', null];
      response.writeHead(status).end(JSON.stringify({ status, message, data }));
    });
    const env = { ...login, SHELFLIST_URL: server.url };
    const { code, stderr } = await shelflist(['list'], { cwd: await elsewhere(context), env });
    assert.match(stderr, /^shelflist: not logged in to .+; run `shelflist login --url .+`\n$/);
    assert.equal(code, 4);
    assert.deepEqual(server.requests, [
      'GET /book/1 -',
      'POST /token -',
      'GET /books?limit=1000 new',
      'POST /token -',
      'GET /books?limit=1000 new',
    ]);
  });

  test('is renewed once for all calls sent with it, however late they are refused', async (context) => {
    let arrived: () => void = () => undefined;
    const newToken = new Promise<void>((resolve) => (arrived = resolve));
    const refuse = (response: ServerResponse) =>
      response.writeHead(401).end(JSON.stringify({ status: 401, message: 'Invalid token', data: null }));
    const server = await startStranger(context, (request, response) => {
      const id = Number(request.url?.slice('/book/'.length));
      const data = request.url === '/token' ? { token: 'new' } : storedBook(id);
      if (request.headers.authorization === 'new') arrived();
      if (request.headers.authorization !== 'old')
        response.end(JSON.stringify({ status: 200, message: 'x', data }));
      else if (request.url === '/book/1') refuse(response);
      else void newToken.then(() => refuse(response));
    });
    const cwd = await elsewhere(context);
    await keep(cwd, server.url, 'old');
    const env = { ...login, SHELFLIST_URL: server.url };
    const { code, stderr } = await shelflist(['get', '1', '2'], { cwd, env });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.deepEqual(server.requests.sort(), [
      'GET /book/1 new',
      'GET /book/1 old',
      'GET /book/2 new',
      'GET /book/2 old',
      'POST /token -',
    ]);
  });

  test('is not deleted when another command has replaced it', async (context) => {
    const cwd = await elsewhere(context);
    const server = await startStranger(context, (_, response) => {
      void keep(cwd, server.url, 'newer').then(() =>
        response.writeHead(401).end(JSON.stringify({ status: 401, message: 'Invalid token', data: null })),
      );
    });
    await keep(cwd, server.url, 'old');
    const { code } = await shelflist(['list'], { cwd, env: { SHELFLIST_URL: server.url } });
    assert.equal(code, 4);
    assert.match(await readFile(await tokenFile(cwd), 'utf8'), /"newer"/);
  });
});

/** Puts a token where `login` would. */
async function keep(home: string, url: string, token: string): Promise<void> {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  await mkdir(tokensOf(home), { recursive: true, mode: 0o700 });
  const cached = { url, username: 'librarian', token, expiresAt: Date.now() / 1000 + 600 };
  const file = join(tokensOf(home), `${digest(url)}-${digest('librarian')}.json`);
  await writeFile(file, JSON.stringify(cached), { mode: 0o600 });
}

describe('credentials in the environment are for the service in SHELFLIST_URL', () => {
  for (const [what, env, requests] of [
    ['a token', { SHELFLIST_TOKEN: 'own' }, []],
    ['a pair', login, []],
    ['a token, and no such address', { SHELFLIST_TOKEN: 'own', SHELFLIST_URL: '' }, ['GET /book/1 own']],
  ] as const) {
    test(`${what}: what --url names gets ${requests.length === 0 ? 'nothing' : 'it'}`, async (context) => {
      const other = await startStranger(context);
      const { code, stderr } = await shelflist(['get', '1', '--url', other.url], {
        cwd: await elsewhere(context),
        env: { ...url, ...env },
      });
      assert.deepEqual(other.requests, requests);
      if (requests.length > 0) return;
      assert.match(stderr, /\(the login in the environment is for the service in SHELFLIST_URL\); run `/);
      assert.equal(code, 4);
    });
  }

  test('login to another service prompts, and does not send them', async (context) => {
    const other = await startStranger(context, (_, response) => {
      response
        .writeHead(401)
        .end(JSON.stringify({ status: 401, message: 'Authorization token required', data: null }));
    });
    const { code } = await shelflist(['login', '--url', other.url], {
      cwd: await elsewhere(context),
      env: { ...url, ...login },
    });
    assert.equal(code, 4);
    assert.deepEqual(other.requests, ['GET /book/1 -']);
  });
});

test('an exposed token folder is made private', async (context) => {
  const cwd = await elsewhere(context);
  await mkdir(tokensOf(cwd), { recursive: true });
  await chmod(tokensOf(cwd), 0o777);
  await shelflist(['login'], { cwd, env: { ...url, ...login } });
  assert.equal((await stat(tokensOf(cwd))).mode & 0o777, 0o700);
});

test('an endless password is not read to its end', async (context) => {
  const { code, stderr } = await shell('yes | shelflist login -u librarian --password-stdin', {
    cwd: await elsewhere(context),
    env: url,
  });
  assert.match(stderr, /refuses the username librarian with this password \(from standard input\)/);
  assert.equal(code, 4);
});

describe('a session', () => {
  const at = (seconds: number) => `[0-9-]{10} ${new Date(seconds * 1000).toTimeString().slice(0, 8)}`;

  /** Logs in, then replaces the token by one of the same login that is older. */
  async function age(cwd: string, seconds: number) {
    await shelflist(['login'], { cwd, env: { ...url, ...login } });
    const file = await tokenFile(cwd);
    const cached = JSON.parse(await readFile(file, 'utf8')) as { token: string };
    const claims = decodeJwt(cached.token);
    const { iat = 0, exp = 0 } = claims;
    const times = { iat: iat - seconds, exp: exp - seconds, auth_time: iat - seconds };
    const token = await new SignJWT({ ...claims, ...times })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret));
    await writeFile(file, JSON.stringify({ ...cached, token, expiresAt: times.exp }));
    return { file, token, loginAt: times.auth_time, endsAt: times.exp };
  }

  test('is renewed by commands, without the password, and the new token is stored', async (context) => {
    const cwd = await elsewhere(context);
    const { file, token, loginAt } = await age(cwd, 600);
    const outcome = await shelflist(['list'], { cwd, env: url });
    assert.deepEqual(outcome, { code: 0, stdout: '', stderr: '' });
    const stored = JSON.parse(await readFile(file, 'utf8')) as { token: string; expiresAt: number };
    assert.notEqual(stored.token, token);
    assert.equal(decodeJwt(stored.token).auth_time, loginAt);
    assert.equal(stored.expiresAt, decodeJwt(stored.token).exp);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('that has ended: the message says when it began and ended, for as long as its token is stored', async (context) => {
    const cwd = await elsewhere(context);
    const { loginAt, endsAt } = await age(cwd, 1000);
    const message = new RegExp(
      `^shelflist: your login of ${at(loginAt)} ended at ${at(endsAt)}; run \`shelflist login\`\n$`,
    );
    for (const command of ['list', 'list', 'status']) {
      const { code, stderr } = await shelflist([command], { cwd, env: url });
      assert.match(stderr, message);
      assert.equal(code, 4);
    }
  });
});
