import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { serve, settings, shelflist, shell } from '../../../support/cli.ts';
import { describeService, startStranger } from '../../../support/session.ts';
import { temporaryFolder } from '../../../support/temp.ts';

test('under npm, which forwards a Ctrl-C that the terminal has already sent, serve exits with 0', async (context) => {
  const cwd = await temporaryFolder(context);
  await shelflist(['init'], { cwd });
  const service = await serve(context, cwd, { npm_execpath: 'npm' });
  service.child.kill('SIGINT');
  await service.said(/stopping/);
  assert.equal(await service.stop('SIGINT'), 0);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends serve with 0, and the next start has the same books`, async (context) => {
    const cwd = await temporaryFolder(context);
    await shelflist(['init'], { cwd });
    const first = await serve(context, cwd);
    await describeService(cwd, first.url);
    const env = { SHELFLIST_URL: first.url };
    await shelflist(['login'], { cwd, env });
    await shelflist(['add', '-t', 'Emma'], { cwd, env });
    assert.equal(await first.stop(signal), 0);
    assert.match(
      first.stderr(),
      /Z shelflist info: stopping: requests in flight are answered first\n\S+Z shelflist info: stopped\n$/,
    );

    const second = await serve(context, cwd);
    await describeService(cwd, second.url);
    const options = { cwd, env: { SHELFLIST_URL: second.url } };
    await shelflist(['login'], options);
    assert.equal((await shelflist(['list'], options)).stdout, '1\tEmma\t\t0\n');
    const added = await shelflist(['add', '-t', 'Persuasion'], options);
    assert.equal(added.stdout, '2\tPersuasion\t\t0\n');
    assert.equal(await second.stop(signal), 0);
  });
}

test('serve prints its address, its store and the next command, and no secret', async (context) => {
  const cwd = await temporaryFolder(context);
  const service = await serve(context, cwd, { ...settings, DATABASE_URL: 'file:./books' });
  await service.stop();
  const [listens, page, books, next, stop] = service.stderr().split('\n');
  assert.match(
    listens ?? '',
    /^\d{4}-\d\d-\d\dT\S+Z shelflist info: version \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+$/,
  );
  assert.equal(page, `the page for browsers:  ${service.url}/`);
  assert.equal(books, 'the books are in ./books, a new, empty store');
  assert.ok(next?.includes(`shelflist login --url ${service.url} `), next);
  assert.equal(stop, 'Ctrl-C stops it');
  assert.doesNotMatch(service.stderr(), /of-this-test/);
});

test('serve says what login needs if .env describes another address', async (context) => {
  const cwd = await temporaryFolder(context);
  await shelflist(['init'], { cwd });
  const first = await serve(context, cwd);
  await first.said(/\nCtrl-C stops it\n/);
  const [, line = ''] =
    /add this line to \.env, to log in with the password there: {2}(.+)\n/.exec(first.stderr()) ?? [];
  assert.equal(line, `SHELFLIST_URL=${first.url}`);
  await appendFile(join(cwd, '.env'), `${line}\n`);
  const { code, stderr } = await shelflist(['login'], { cwd });
  assert.deepEqual([code, stderr.startsWith(`logged in to ${first.url} as librarian`)], [0, true], stderr);
});

test('when serve listens on every address, it suggests a login to this machine', async (context) => {
  const cwd = await temporaryFolder(context);
  const service = await serve(context, cwd, { ...settings, HOST: '0.0.0.0' });
  const { port } = new URL(service.url);
  await service.said(new RegExp(`shelflist login --url http://127\\.0\\.0\\.1:${port} `));
});

test('serve warns of a cut value and of a short password, and says that it is plain HTTP', async (context) => {
  const cwd = await temporaryFolder(context);
  await writeFile(join(cwd, '.env'), 'AUTH_PASSWORD=my#password-of-this-test\nOTHER=a#b\n');
  const { SECRET_TOKEN, AUTH_USERNAME } = settings;
  const service = await serve(context, cwd, { SECRET_TOKEN, AUTH_USERNAME, HOST: '0.0.0.0' });
  await service.said(/\nCtrl-C stops it\n/);
  assert.match(
    service.stderr(),
    /^\S+Z shelflist warning: the value of AUTH_PASSWORD in \.env ends before its # \(fix: .+\)\n/,
  );
  assert.match(
    service.stderr(),
    /\n\S+Z shelflist warning: the password has fewer than 10 characters .+ \(fix: shelflist passwd\)\n/,
  );
  assert.match(service.stderr(), /\nthis is plain HTTP: /);
  assert.doesNotMatch(service.stderr(), /OTHER/);
});

describe('LOG_FORMAT=json: every line is an object', () => {
  const table: [level: string, expected: string[]][] = [
    ['warn', ['warn the token secret is too short', 'info listens on', 'info stopping', 'info stopped']],
    [
      'info',
      [
        'warn the token secret is too short',
        'info listens on',
        'info request',
        'info stopping',
        'info stopped',
      ],
    ],
    ['error', ['info listens on', 'info stopping', 'info stopped']],
  ];
  for (const [level, expected] of table) {
    test(`from ${level} up`, async (context) => {
      const cwd = await temporaryFolder(context);
      const log = { LOG_FORMAT: 'json', LOG_LEVEL: level, SECRET_TOKEN: 'short-of-this-test' };
      const service = await serve(context, cwd, { ...settings, ...log });
      assert.equal((await fetch(`${service.url}/livez`)).status, 200);
      assert.equal(await service.stop(), 0);
      const lines = service.stderr().trimEnd().split('\n');
      const events = lines.map((line) => JSON.parse(line) as { level: string; message: string });
      assert.equal(events.length, expected.length, service.stderr());
      for (const [i, event] of events.entries()) {
        const [itsLevel = '', ...words] = expected[i]?.split(' ') ?? [];
        assert.equal(event.level, itsLevel);
        assert.ok(event.message.includes(words.join(' ')), event.message);
      }
      assert.doesNotMatch(service.stderr(), /of-this-test/);
    });
  }
});

test('CORS_ORIGINS and SECRET_TOKEN_PREVIOUS reach the service', async (context) => {
  const cwd = await temporaryFolder(context);
  const env = { CORS_ORIGINS: 'https://a.example', SECRET_TOKEN_PREVIOUS: 'short-of-this-test' };
  const service = await serve(context, cwd, { ...settings, ...env });
  const { headers } = await fetch(`${service.url}/livez`, { headers: { Origin: 'https://a.example' } });
  assert.equal(headers.get('access-control-allow-origin'), 'https://a.example');
  await service.said(/the previous token secret is too short/);
});

test('serve continues when the reader of its messages closes the pipe', async (context) => {
  const cwd = await temporaryFolder(context);
  const service = await serve(context, cwd, settings);
  service.child.stderr?.destroy();
  assert.equal(await service.stop(), 0);
});

describe(
  'it cannot start: one or two lines that say what is wrong and what to do',
  { concurrency: 4 },
  () => {
    const password = 'pa55word-of-this-test';
    const unreachable =
      /^shelflist: cannot use the database mongodb:\/\/127\.0\.0\.1:1\/\w+: .*ECONNREFUSED.*; start it, or correct DATABASE_URL \(host, port\)\n$/;
    const address = 'is none of these: file:PATH, mongodb://HOST/DATABASE, memory:NAME';
    const refused =
      /^shelflist: the database address on the command line holds a password: .+; set DATABASE_URL instead\n$/;
    const table: {
      what: string;
      options: string;
      env: Record<string, string>;
      code: number;
      stderr: RegExp | string;
    }[] = [
      {
        what: 'no secret',
        options: '',
        env: { SECRET_TOKEN: '' },
        code: 1,
        stderr: /^shelflist: SECRET_TOKEN is not set\.\nRun `shelflist init` /,
      },
      {
        what: 'no password',
        options: '',
        env: { AUTH_PASSWORD: '' },
        code: 1,
        stderr: /^shelflist: AUTH_PASSWORD is not set\.\nRun `shelflist init` /,
      },
      {
        what: 'PORT invalid',
        options: '',
        env: { PORT: '80a' },
        code: 1,
        stderr: 'PORT (environment PORT) is not a whole number from 0 to 65535',
      },
      {
        what: '--port invalid',
        options: '--port 65536',
        env: {},
        code: 2,
        stderr: "invalid --port '65536': expected a whole number from 0 to 65535",
      },
      {
        what: 'X and X_FILE',
        options: '',
        env: { SECRET_TOKEN_FILE: 'x' },
        code: 1,
        stderr: /^shelflist: SECRET_TOKEN and SECRET_TOKEN_FILE are both set/,
      },
      {
        what: 'no such address',
        options: '--host 203.0.113.7',
        env: {},
        code: 1,
        stderr: /^shelflist: cannot listen on 203\.0\.113\.7 \(flag --host\)/,
      },
      {
        what: 'DATABASE_URL invalid',
        options: '',
        env: { DATABASE_URL: 'x:y' },
        code: 1,
        stderr: `DATABASE_URL (environment DATABASE_URL) ${address}`,
      },
      {
        what: '--database-url invalid',
        options: '-d data',
        env: {},
        code: 1,
        stderr: `DATABASE_URL (flag --database-url) ${address}`,
      },
      {
        what: 'a file',
        options: '-d file:file',
        env: {},
        code: 1,
        stderr:
          /^shelflist: cannot use the store .+file: it, or a part of its path, is a file; name a folder\n$/,
      },
      {
        what: 'below a file',
        options: '-d file:file/x',
        env: {},
        code: 1,
        stderr: /^shelflist: cannot use the store .+x: it, or a part of its path, is a file/,
      },
      {
        what: 'a folder with something else',
        options: '-d file:else',
        env: {},
        code: 1,
        stderr: /else: the folder contains other files \(notes\.txt\); name an empty/,
      },
      {
        what: 'no store of ours',
        options: '-d file:fake',
        env: {},
        code: 1,
        stderr:
          /fake: shelflist\.db is damaged, or not a database; move the folder away and restore a backup/,
      },
      {
        what: 'a store of the version before',
        options: '-d file:old',
        env: {},
        code: 1,
        stderr:
          /old: it holds a store of an earlier version \(data\.mdb, LMDB\).+import them into a new folder/,
      },
      {
        what: 'MongoDB unreachable',
        options: '-d mongodb://127.0.0.1:1/',
        env: {},
        code: 1,
        stderr: unreachable,
      },
      {
        what: 'MongoDB unreachable, with a password',
        options: '',
        env: { DATABASE_URL: `mongodb://u:${password}@127.0.0.1:1/` },
        code: 1,
        stderr: unreachable,
      },
      {
        what: 'a password as an argument',
        options: `-d mongodb://u:${password}@127.0.0.1:1/`,
        env: {},
        code: 2,
        stderr: refused,
      },
      {
        what: 'one with a slash',
        options: `-d mongodb://u:x/${password}@127.0.0.1:1/`,
        env: {},
        code: 2,
        stderr: refused,
      },
      {
        what: 'one with a question mark',
        options: `-d mongodb+srv://u:x?${password}@h.invalid/`,
        env: {},
        code: 2,
        stderr: refused,
      },
    ];
    for (const { what, options, env, code, stderr } of table) {
      test(what, async (context) => {
        const cwd = await temporaryFolder(context);
        await writeFile(join(cwd, 'file'), 'text');
        for (const [folder, file] of [
          ['else', 'notes.txt'],
          ['fake', 'shelflist.db'],
          ['old', 'data.mdb'],
        ] as const) {
          await mkdir(join(cwd, folder));
          await writeFile(join(cwd, folder, file), 'x'.repeat(8192));
        }
        const outcome = await shelflist(['serve', ...options.split(' ').filter(Boolean)], {
          cwd,
          env: { ...settings, PORT: '0', ...env },
        });
        if (typeof stderr === 'string') assert.equal(outcome.stderr, `shelflist: ${stderr}\n`);
        else assert.match(outcome.stderr, stderr);
        assert.match(outcome.stderr, /^(.+\n){1,2}$/);
        assert.doesNotMatch(outcome.stderr, /of-this-test|\n +at /);
        assert.equal(outcome.stdout, '');
        assert.equal(outcome.code, code);
      });
    }

    test('the port is taken', async (context) => {
      const cwd = await temporaryFolder(context);
      const { port } = await startStranger(context);
      const outcome = await shell(`shelflist serve --port ${port}`, { cwd, env: settings });
      const problem = `port ${port} of 127.0.0.1 is in use (flag --port); stop the program that listens there`;
      assert.match(
        outcome.stderr,
        new RegExp(
          `^shelflist: ${problem.replace(/[()]/g, '.')}, or use one that is free: shelflist serve --port \\d+\n$`,
        ),
      );
      assert.equal(outcome.code, 1);
      assert.ok(!existsSync(join(cwd, 'data')), 'nothing was started before');
      const started = await shell(`npm_lifecycle_event=start shelflist serve --port ${port}`, {
        cwd,
        env: settings,
      });
      assert.match(started.stderr, /: npm start -- --port \d+\n$/);
    });

    test('the port is taken: the advice has the other options that were given', async (context) => {
      const cwd = await temporaryFolder(context);
      const { port } = await startStranger(context);
      const options = `-w 2 --json -H 127.0.0.1 -d 'file:./my books'`;
      for (const [variables, command] of [
        ['', 'shelflist serve'],
        ['npm_lifecycle_event=start', 'npm start --'],
      ] as const) {
        const line = `${variables} shelflist serve --port ${port} ${options}`;
        const { stderr } = await shell(line, { cwd, env: settings });
        const advised = `${command} --database-url 'file:./my books' --host 127.0.0.1 --port `;
        const { error } = JSON.parse(stderr) as { error: { message: string } };
        const [, rest = ''] = error.message.split(`: ${advised}`);
        assert.match(rest, /^\d+ --workers 2 --json$/, stderr);
      }
    });
  },
);
