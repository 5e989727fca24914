import assert from 'node:assert/strict';
import {
  copyFile,
  rm,
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import type { Finding } from '../../../src/cli/commands/doctor.ts';
import { parse } from 'dotenv';
import { openStore } from '../../../src/index.ts';
import { bookOf, storedBook } from '../../support/books.ts';
import { serve, settings, shelflist, shell } from '../../support/cli.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';
import { logInTimes } from '../../support/logins.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { closeFiles } from '../../support/garbage.ts';
import { changeFile, damageTable, insertSql, pagesOf, spoilRecord } from '../../support/sqlite-file.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const session = await startSession({ after });
const url = session.service.url;

/** Commands that talk to a service which is fine, so that only what a test prepares is found. */
const fine = { SHELFLIST_URL: url };

interface Diagnosis {
  code: number | null;
  /** `CHECK STATE`, in their order. */
  states: string[];
  of: (check: string) => Finding[];
  stderr: string;
}

async function diagnose(
  cwd: string,
  env: Record<string, string> = {},
  options: string[] = [],
): Promise<Diagnosis> {
  const port = 'PORT_FILE' in env ? {} : { PORT: '0' }; // Another program may listen on the port of a .env.
  const outcome = await shelflist(['doctor', '--json', ...options], {
    cwd,
    env: { ...fine, ...port, ...env },
  });
  const findings = JSON.parse(outcome.stdout) as Finding[];
  const isBad = findings.some(({ state }) => state === 'problem');
  assert.equal(outcome.code, isBad ? 1 : 0);
  assert.match(
    outcome.stderr,
    isBad ? /^\{"error":\{"code":"failed","message":"\d problems?; .+\}\n$/ : /^$/,
  );
  for (const { state, fix } of findings) assert.equal(fix === undefined, state === 'ok');
  return {
    code: outcome.code,
    states: findings.map(({ check, state }) => `${check} ${state}`),
    of: (check) => findings.filter((each) => each.check === check),
    stderr: outcome.stderr,
  };
}

/** A folder where nothing is wrong, and a user who is logged in to the service. */
async function healthy(context: Scope): Promise<string> {
  const cwd = await temporaryFolder(context);
  await copyFile(join(session.folder, '.env'), join(cwd, '.env'));
  const { code, stderr } = await shelflist(['login'], { cwd, env: fine });
  assert.equal(code, 0, stderr);
  await rm(join(cwd, '.env'));
  await shelflist(['init'], { cwd });
  const store = await openStore(`file:${join(cwd, 'data')}`);
  await store.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
  await closeFiles(store);
  return cwd;
}

async function tokenFile(cwd: string): Promise<string> {
  const folder = join(cwd, '.cache/shelflist/tokens');
  const [name = ''] = await readdir(folder);
  return join(folder, name);
}

/** Everything below a folder, with its size and mode. */
async function contents(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const lines = names.map(async (name) => {
    const { size, mode } = await stat(join(folder, name));
    return `${name} ${size} ${(mode & 0o777).toString(8)}`;
  });
  return (await Promise.all(lines)).sort();
}

const allIsWell = [
  'configuration ok',
  '.env ok',
  'store ok',
  'disk ok',
  'counter ok',
  'token ok',
  'service ok',
  'clock ok',
  'login ok',
];

describe('a service without problems', () => {
  test('every check is ok, and the exit status is 0', async (context) => {
    const cwd = await healthy(context);
    const before = await contents(cwd);
    const found = await diagnose(cwd);
    assert.deepEqual(found.states, allIsWell);
    assert.equal(found.code, 0);
    assert.deepEqual(await contents(cwd), before, 'nothing is changed');
    assert.equal(found.of('counter')[0]?.finding, 'the last id was 1, the highest of a book is 1');
  });

  test('while the service runs', async () => {
    assert.deepEqual((await diagnose(session.folder)).states, allIsWell);
  });

  test('without a service and a login there are notes, and the exit status is 0', async (context) => {
    const cwd = await temporaryFolder(context);
    const found = await diagnose(cwd);
    assert.deepEqual(found.states, ['configuration note', 'service ok', 'clock ok', 'login note']);
    assert.equal(found.of('configuration')[0]?.finding, 'no service is set up in this folder');
    assert.equal(found.of('configuration')[0]?.fix, 'shelflist init');
    assert.equal(found.of('login')[0]?.fix, `shelflist login --url ${url}`);
    assert.deepEqual(await readdir(cwd), []);
  });

  test('the findings and the advice use npx if doctor was run with it', async (context) => {
    const env = { npm_execpath: 'npm', SHELFLIST_URL: 'http://127.0.0.1:1' };
    const found = await diagnose(await temporaryFolder(context), env);
    assert.equal(found.of('configuration')[0]?.fix, 'npx --no-install shelflist init');
    const [service] = found.of('service');
    assert.match(service?.finding ?? '', /; start the service with `npx --no-install shelflist serve`, /);
    assert.equal(service?.fix, 'npx --no-install shelflist serve');
  });

  test('the user is named', async (context) => {
    const cwd = await healthy(context);
    assert.deepEqual((await diagnose(cwd, {}, ['--username', 'librarian'])).states, allIsWell);
    const other = await diagnose(cwd, {}, ['--username', 'ada']);
    assert.equal(other.states.at(-1), 'login note');
  });
});

test('a folder that was moved away under its running service is a problem', async (context) => {
  const { folder: cwd, service } = await startSession(context);
  const { port } = new URL(service.url);
  await rename(join(cwd, 'data'), join(cwd, 'moved'));
  const [found] = (await diagnose(cwd, { PORT: port })).of('store');
  assert.equal(found?.state, 'problem');
  assert.match(
    found.finding,
    /^it does not exist, but a program listens on port \d+: if that is its service, /,
  );
});

const noLocks = process.platform !== 'linux' && 'only Linux lists the locks of files';

test(
  'a data file that was replaced under its running service is a problem',
  { skip: noLocks },
  async (context) => {
    const cwd = await temporaryFolder(context);
    await shelflist(['init'], { cwd });
    await serve(context, cwd); // A process of its own: the locks of this one are no sign of a service.
    const file = join(cwd, 'data/shelflist.db');
    await rename(file, `${file}.old`);
    await copyFile(`${file}.old`, file);
    const [found] = (await diagnose(cwd)).of('store');
    assert.match(
      found?.finding ?? '',
      /: shelflist\.db was replaced under its running service, which writes/,
    );
    assert.equal(found?.fix, 'put it back, or stop the service and start it on the new one');
    await rename(`${file}.old`, file);
    assert.equal((await diagnose(cwd)).of('store')[0]?.state, 'ok');
  },
);

test('the store is checked with DATABASE_URL alone', async (context) => {
  const cwd = await healthy(context);
  await rm(join(cwd, '.env'));
  const { states } = await diagnose(cwd, { DATABASE_URL: 'file:./data' });
  assert.ok(states.includes('store ok') && states.includes('counter ok'), states.join());
});

test('the password is not checked while the service refuses logins, and the login is', async (context) => {
  const { folder: cwd, service } = await startSession(context);
  await logInTimes(30, service.url, { username: 'librarian', password: 'wrong' });
  const found = await diagnose(cwd, { SHELFLIST_URL: service.url });
  const [finding] = found.of('password');
  assert.deepEqual(
    [finding?.state, finding?.finding],
    ['note', 'not checked: there were too many failed logins'],
  );
  assert.equal(found.states.at(-1), 'login ok');
});

describe('the settings', () => {
  const file = /^cannot read .+gone, the file that PORT_FILE names \(ENOENT\)$/;
  const table: {
    what: string;
    env: Record<string, string>;
    finding: string | RegExp;
    fix: string | RegExp;
  }[] = [
    {
      what: 'a secret that is too short',
      env: { ...settings, SECRET_TOKEN: 'x'.repeat(31) },
      finding: 'the secret is under 32 bytes (environment SECRET_TOKEN)',
      fix: /^set SECRET_TOKEN to the output of: node -p "/,
    },
    {
      what: 'one that is missing',
      env: { ...settings, AUTH_PASSWORD: '' },
      finding: 'AUTH_PASSWORD is not set.',
      fix: 'Run `shelflist init` to write it to a new .env file here, or set it in the environment.',
    },
    {
      what: 'one that is invalid',
      env: { ...settings, PORT: 'x' },
      finding: 'PORT (environment PORT) is not a whole number from 0 to 65535',
      fix: 'set PORT to a whole number from 0 to 65535',
    },
    {
      what: 'a file that is not there',
      env: { ...settings, PORT_FILE: 'gone' },
      finding: file,
      fix: 'shelflist config show',
    },
    {
      what: 'one that is set twice',
      env: { ...settings, AUTH_USERNAME_FILE: 'x' },
      finding: 'AUTH_USERNAME and AUTH_USERNAME_FILE are both set (environment)',
      fix: 'keep one of them',
    },
  ];
  for (const { what, env, finding, fix } of table) {
    test(what, async (context) => {
      const found = await diagnose(await temporaryFolder(context), env);
      const [configuration] = found.of('configuration');
      assert.equal(configuration?.state, 'problem');
      if (typeof finding === 'string') assert.equal(configuration.finding, finding);
      else assert.match(configuration.finding, finding);
      if (typeof fix === 'string') assert.equal(configuration.fix, fix);
      else assert.match(configuration.fix ?? '', fix);
      assert.equal(found.code, 1);
      assert.doesNotMatch(JSON.stringify(found), /of-this-test|xxxx/);
    });
  }

  test('a secret of 32 bytes is long enough, in bytes', async (context) => {
    const env = { ...settings, SECRET_TOKEN: 'é'.repeat(16) };
    const found = await diagnose(await temporaryFolder(context), env);
    assert.equal(found.states[0], 'configuration ok');
  });

  test('the secret that it prints is long enough', async (context) => {
    const cwd = await temporaryFolder(context);
    const short = { ...settings, SECRET_TOKEN: 'x' };
    const [, command = ''] =
      / output of: (.+)$/.exec((await diagnose(cwd, short)).of('configuration')[0]?.fix ?? '') ?? [];
    const { stdout } = await shell(command, { cwd });
    const found = await diagnose(cwd, { ...settings, SECRET_TOKEN: stdout.trim() });
    assert.equal(found.states[0], 'configuration ok');
  });

  test('a .env that cannot be read', async (context) => {
    const cwd = await temporaryFolder(context);
    await mkdir(join(cwd, '.env'));
    const found = await diagnose(cwd);
    assert.match(found.of('configuration')[0]?.finding ?? '', /^cannot read .+\.env \(EISDIR\)/);
    assert.equal(found.code, 1);
  });
});

/** Runs the command that fixes the one problem, after which no problem is left. */
async function fix(cwd: string, check: string, finding: RegExp, env: Record<string, string> = {}) {
  const found = await diagnose(cwd, env);
  assert.deepEqual(
    found.states.filter((each) => each.endsWith('problem')),
    [`${check} problem`],
  );
  const problem = found.of(check).find(({ state }) => state === 'problem');
  assert.match(problem?.finding ?? '', finding);
  const { code, stderr } = await shell(problem?.fix ?? '', { cwd, env: { ...fine, ...env } });
  assert.equal(code, 0, stderr);
  const again = await diagnose(cwd, env);
  assert.equal(again.code, 0, JSON.stringify(again));
  return again;
}

describe('the advice is a command that fixes the problem', () => {
  test('a .env that others can read', async (context) => {
    const cwd = await healthy(context);
    await chmod(join(cwd, '.env'), 0o644);
    const again = await fix(cwd, '.env', /^others can read it \(mode 644\)$/);
    assert.deepEqual(again.states, allIsWell);
  });

  test('a .env that others can read, in a folder whose name needs quotes', async (context) => {
    const cwd = join(await temporaryFolder(context), "Ada's books $HOME");
    await mkdir(cwd);
    await shelflist(['init'], { cwd });
    await chmod(join(cwd, '.env'), 0o640);
    const again = await fix(cwd, '.env', /^others can read it \(mode 640\)$/);
    assert.ok(again.states.includes('.env ok'));
  });

  test('a token that others can read', async (context) => {
    const cwd = await healthy(context);
    await chmod(await tokenFile(cwd), 0o644);
    const again = await fix(cwd, 'token', /^others can read .+\.json \(mode 644\)$/);
    assert.equal(again.states.at(-1), 'login note');
  });

  test('a folder of tokens that others can open', async (context) => {
    const cwd = await healthy(context);
    await chmod(join(cwd, '.cache/shelflist/tokens'), 0o755);
    const again = await fix(cwd, 'token', /^others can open .+tokens \(mode 755\)$/);
    assert.deepEqual(again.states, allIsWell);
  });

  test('an exposed token and an exposed folder are fixed one after the other', async (context) => {
    const cwd = await healthy(context);
    await chmod(await tokenFile(cwd), 0o644);
    await chmod(join(cwd, '.cache/shelflist/tokens'), 0o755);
    const found = await diagnose(cwd);
    assert.equal(found.of('token').length, 2);
    assert.match(found.stderr, /"2 problems; see the fix for each above"/);
    for (const { fix: command = '' } of found.of('token')) await shell(command, { cwd });
    assert.equal((await diagnose(cwd)).code, 0);
  });

  /** Folders without `.env`: commands there do not log in by themselves. */
  async function stranger(context: Scope) {
    const { AUTH_USERNAME = '', AUTH_PASSWORD = '' } = parse(
      await readFile(join(session.folder, '.env'), 'utf8'),
    );
    const login = { ...fine, SHELFLIST_USERNAME: AUTH_USERNAME, SHELFLIST_PASSWORD: AUTH_PASSWORD };
    return { cwd: await temporaryFolder(context), login };
  }

  test('not logged in', async (context) => {
    const { cwd, login } = await stranger(context);
    const found = await diagnose(cwd);
    assert.equal(found.states.at(-1), 'login note');
    await shell(found.of('login')[0]?.fix ?? '', { cwd, env: login });
    assert.equal((await diagnose(cwd)).states.at(-1), 'login ok');
  });

  test('not logged in, but with the password of the service in .env', async (context) => {
    const { folder: cwd, run } = await startSession(context);
    await run(['logout']);
    assert.equal((await run(['doctor', '--format', 'csv'])).stdout.includes('login,ok,'), true);
    assert.equal((await shelflist(['list'], { cwd })).code, 0);
  });

  test('a password in .env that the running service does not have yet', async (context) => {
    const cwd = await temporaryFolder(context);
    const text = await readFile(join(session.folder, '.env'), 'utf8');
    await writeFile(
      join(cwd, '.env'),
      text.replace(/^AUTH_PASSWORD=.*$/m, 'AUTH_PASSWORD=changed-of-this-test'),
      {
        mode: 0o600,
      },
    );
    const found = await diagnose(cwd);
    const { finding = '', fix = '' } = found.of('password')[0] ?? {};
    assert.match(
      finding,
      /^http:.+ refuses the username librarian with this password \(from \.env\); a password that was changed there needs a restart/,
    );
    assert.equal(fix, 'restart the service, or correct the password');
    assert.equal(found.states.at(-1), 'login note');
    assert.doesNotMatch(JSON.stringify(found), /of-this-test/);
    // A login of before the change is still good, which hides the problem from other commands.
    await copyFile(join(session.folder, '.env'), join(cwd, '.env'));
    await shelflist(['login'], { cwd, env: fine });
    await writeFile(
      join(cwd, '.env'),
      text.replace(/^AUTH_PASSWORD=.*$/m, 'AUTH_PASSWORD=changed-of-this-test'),
    );
    const { states } = await diagnose(cwd);
    assert.deepEqual(states.slice(-2), ['password problem', 'login ok']);
  });

  test('a token that the service refuses', async (context) => {
    const { cwd, login } = await stranger(context);
    await shelflist(['login'], { cwd, env: login });
    const file = await tokenFile(cwd);
    const kept = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...kept, token: 'spoilt' }));
    const [{ finding, fix: command = '' } = { finding: '' }] = (await diagnose(cwd)).of('login');
    assert.equal(finding, 'the service refuses the token');
    await shell(command, { cwd, env: login });
    assert.equal((await diagnose(cwd)).states.at(-1), 'login ok');
  });

  test('a token in SHELFLIST_TOKEN that the service refuses', async () => {
    const { folder: cwd } = session;
    const found = await diagnose(cwd, { SHELFLIST_TOKEN: 'spoilt' });
    assert.deepEqual(found.of('login'), [
      {
        check: 'login',
        state: 'problem',
        finding: 'the service refuses the token',
        fix: 'unset SHELFLIST_TOKEN && shelflist login',
      },
    ]);
    const fixed = await shell(`${found.of('login')[0]?.fix ?? ''} && shelflist doctor`, {
      cwd,
      env: { ...fine, SHELFLIST_TOKEN: 'spoilt' },
    });
    assert.equal(fixed.code, 0, fixed.stderr);
  });
});

describe('the store', () => {
  test('a missing store is a note, and doctor does not create it', async (context) => {
    const cwd = await temporaryFolder(context);
    const found = await diagnose(cwd, settings);
    assert.deepEqual(found.of('store'), [
      {
        check: 'store',
        state: 'note',
        finding: 'it does not exist yet; the service creates it when it starts',
        fix: 'shelflist serve',
      },
    ]);
    assert.equal(found.code, 0);
    assert.deepEqual(await readdir(cwd), []);
  });

  const addBook = insertSql(storedBook(40));

  test('a book that another program added beside an older counter raises it', async (context) => {
    const cwd = await healthy(context);
    changeFile(join(cwd, 'data'), addBook);
    const found = await diagnose(cwd);
    assert.equal(found.of('counter')[0]?.finding, 'the last id was 40, the highest of a book is 40');
    assert.equal(found.code, 0);
  });

  test(
    'a counter of MongoDB behind the books; the service corrects it when it starts',
    { skip: 'skip' in mongod && mongod.skip },
    async (context) => {
      const cwd = await temporaryFolder(context);
      const env = { ...settings, DATABASE_URL: newDatabaseUrl(mongod) };
      const serveOnce =
        'shelflist serve --port 0 --json | { read -r line; kill $(node -p "JSON.parse(process.argv[1]).pid" "$line"); }';
      await shell(serveOnce, { cwd, env });
      const db = await openDriver(context, env.DATABASE_URL);
      await db.collection<{ _id: number }>('books').insertOne({ _id: 40, ...bookOf({}) });
      const found = await diagnose(cwd, env);
      const [counter] = found.of('counter');
      assert.match(counter?.finding ?? '', /^the last id was 0, but book 40 exists: /);
      assert.match(counter?.fix ?? '', /: shelflist serve$/);
      assert.deepEqual((await diagnose(cwd, env)).of('counter'), [counter], 'it is left as it is');
      assert.equal(found.code, 1);
      await shell(serveOnce, { cwd, env });
      assert.equal((await diagnose(cwd, env)).of('counter')[0]?.state, 'ok');
    },
  );

  test(
    'a MongoDB with an unfinished copy is a problem that a repeat of the copy solves',
    { skip: 'skip' in mongod && mongod.skip },
    async (context) => {
      const cwd = await temporaryFolder(context);
      const env = { ...settings, DATABASE_URL: newDatabaseUrl(mongod) };
      const db = await openDriver(context, env.DATABASE_URL);
      await db.collection<{ _id: number }>('books').insertOne({ _id: 40, ...bookOf({}) });
      await db.collection<{ _id: string }>('counters').insertOne({ _id: 'copy' });
      const found = await diagnose(cwd, env);
      const [store] = found.of('store');
      assert.match(store?.finding ?? '', /: a copy into it is not complete$/);
      assert.equal(store?.fix, 'repeat `shelflist copy`, or name another database');
      assert.deepEqual(found.of('counter'), []);
    },
  );

  test(
    'an empty MongoDB is a note, also while a program listens on the port',
    { skip: 'skip' in mongod && mongod.skip },
    async (context) => {
      const env = { ...settings, DATABASE_URL: newDatabaseUrl(mongod), PORT: new URL(url).port };
      const [store] = (await diagnose(await temporaryFolder(context), env)).of('store');
      assert.equal(store?.state, 'note');
    },
  );

  test('a counter that is not a number is not corrected by a restart', async (context) => {
    const cwd = await healthy(context);
    changeFile(join(cwd, 'data'), "UPDATE sqlite_sequence SET seq = 'many' WHERE name = 'books'");
    const found = await diagnose(cwd);
    assert.equal(found.code, 1);
    assert.doesNotMatch(JSON.stringify([found.of('counter'), found.of('store')]), /NaN|lifts it/);
  });

  test('a change in the future is a problem of the clock', async (context) => {
    const cwd = await healthy(context);
    const store = await openStore(`file:${join(cwd, 'data')}`);
    await store.create({ title: 'Emma' });
    await store.update(1, { year: 1815 });
    await store.close();
    changeFile(join(cwd, 'data'), `UPDATE meta SET clock = clock + ${200 * 86_400_000}`);
    const [found] = (await diagnose(cwd)).of('clock');
    assert.match(
      found?.finding ?? '',
      /^its latest change has the time .+ the clock of this machine is wrong, or was/,
    );
    assert.equal(found?.state, 'problem');
  });

  test('a later format is a problem', async (context) => {
    const cwd = await healthy(context);
    changeFile(join(cwd, 'data'), 'PRAGMA user_version = 99');
    const started = await shell('shelflist serve --port 0', { cwd });
    assert.match(
      started.stderr,
      /shelflist \S+ wrote it in format 99, and this is \S+, which knows formats up to \d+; use that release or a later one/,
    );
    const [store] = (await diagnose(cwd)).of('store');
    assert.equal(store?.state, 'problem');
    assert.equal(store.fix, 'use that release or a later one');
  });

  const restoring =
    /^move the folder away and restore a backup in its place \(shelflist restore\), or name another/;
  const damage: [what: string, prepare: (cwd: string) => Promise<unknown>, finding: RegExp][] = [
    [
      'noise',
      (cwd) => writeFile(join(cwd, 'data/shelflist.db'), Buffer.alloc(20_000, 'noise')),
      /data: shelflist\.db is damaged, or not a database$/,
    ],
    [
      'cut off',
      (cwd) => truncate(join(cwd, 'data/shelflist.db'), 8192),
      /data: shelflist\.db is damaged, or not a database$/,
    ],
    [
      'a page of the history',
      (cwd) => damageTable(join(cwd, 'data'), 'changes'),
      /data: shelflist\.db is damaged, or not a database$/,
    ],
  ];
  for (const [what, prepare, finding] of damage) {
    test(`damaged: ${what}`, async (context) => {
      const cwd = await healthy(context);
      await prepare(cwd);
      const before = await contents(cwd);
      const found = await diagnose(cwd);
      const [store] = found.of('store');
      assert.equal(store?.state, 'problem');
      assert.match(store.finding, finding);
      assert.match(store.fix ?? '', restoring);
      assert.deepEqual(found.of('counter'), []);
      assert.equal(found.code, 1);
      assert.deepEqual(await contents(cwd), before);
    });
  }

  test('damaged pages are reported even if neither the start nor the books need them', async (context) => {
    const cwd = await healthy(context);
    const store = await openStore(`file:${join(cwd, 'data')}`);
    await Promise.all(
      Array.from({ length: 500 }, (_, year) => store.create({ title: `title ${year}`, author: 'x', year })),
    );
    await closeFiles(store);
    const [page = 0] = pagesOf(join(cwd, 'data'), 'books_by_title').slice(-1);
    const file = await open(join(cwd, 'data/shelflist.db'), 'r+');
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096);
    await file.close();
    const before = await contents(cwd);
    const found = await diagnose(cwd);
    const [report] = found.of('store');
    assert.equal(report?.state, 'problem');
    assert.match(report.finding, new RegExp(`it is damaged .*\\b${page}\\b`));
    assert.equal(report.fix, 'shelflist help restore');
    assert.deepEqual(found.of('counter'), []);
    assert.equal(found.code, 1);
    assert.deepEqual(await contents(cwd), before);
  });

  test('a record that is not a book is named, with the command that removes it', async (context) => {
    const cwd = await healthy(context);
    spoilRecord(join(cwd, 'data'), 1);
    const [record] = (await diagnose(cwd)).of('records');
    assert.match(record?.finding ?? '', /^record 1 is not a book; lists/);
    assert.equal(record?.fix, 'shelflist delete 1');
  });

  const addresses: [what: string, address: string, finding: RegExp, fix: string][] = [
    [
      'an address that names none',
      'data',
      /^DATABASE_URL \(environment DATABASE_URL\) is none of these: file:PATH, mongodb:/,
      'correct DATABASE_URL',
    ],
    ['a file in its place', 'file:file', /is a file$/, 'name a folder'],
    [
      'a MongoDB that is down, whose password is not shown',
      'mongodb://ada:pa55word-of-this-test@127.0.0.1:1/books',
      /^cannot use the database mongodb:\/\/127\.0\.0\.1:1\/books: .*ECONNREFUSED 127\.0\.0\.1:1$/,
      'start it, or correct DATABASE_URL (host, port)',
    ],
  ];
  for (const [what, address, finding, fix] of addresses) {
    test(what, async (context) => {
      const cwd = await temporaryFolder(context);
      await writeFile(join(cwd, 'file'), '');
      const found = await diagnose(cwd, { ...settings, DATABASE_URL: address });
      const [store] = found.of('store');
      assert.match(store?.finding ?? '', finding);
      assert.equal(store?.fix, fix);
      assert.doesNotMatch(JSON.stringify(found), /of-this-test/);
      assert.equal(found.code, 1);
      assert.deepEqual(await readdir(cwd), ['file']);
    });
  }
});

describe('the service that commands talk to', () => {
  test('is down', async (context) => {
    const found = await diagnose(await temporaryFolder(context), {}, ['--url', 'http://127.0.0.1:1']);
    const [service] = found.of('service');
    assert.match(service?.finding ?? '', /^cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there/);
    assert.equal(service?.fix, 'shelflist serve');
    assert.deepEqual(found.states, ['configuration note', 'service problem']);
    assert.equal(found.code, 1);
  });

  test('is something else', async (context) => {
    const stranger = await startStranger(context);
    const found = await diagnose(await temporaryFolder(context), {}, ['--url', stranger.url]);
    const [service] = found.of('service');
    assert.match(service?.finding ?? '', /a proxy, or another program, may be listening there$/);
    assert.equal(service?.fix, 'name the right address with --url or SHELFLIST_URL');
    assert.equal(found.code, 1);
    assert.deepEqual(stranger.requests, ['GET /book/1 -']);
  });

  const clocks: [minutes: number, state: string, finding: RegExp][] = [
    [0, 'ok', /^the clocks of the service and of this machine differ by at most 30 s$/],
    [-10, 'problem', /^the service's clock is (59\d|60\d) s behind this machine's$/],
    [10, 'problem', /^the service's clock is (59\d|60\d) s ahead of this machine's$/],
  ];
  for (const [minutes, state, finding] of clocks) {
    test(`has a clock that is ${minutes} minutes off`, async (context) => {
      const stranger = await startStranger(context, (_, response) => {
        response.setHeader('Date', new Date(Date.now() + minutes * 60_000).toUTCString());
        response.writeHead(404).end('{"status":404,"message":"Book not found","data":null}');
      });
      const found = await diagnose(await temporaryFolder(context), {}, ['--url', stranger.url]);
      const [clock] = found.of('clock');
      assert.equal(clock?.state, state);
      assert.match(clock.finding, finding);
      assert.equal(found.states.at(-1), 'login ok');
      assert.equal(found.code, state === 'ok' ? 0 : 1);
    });
  }

  test('sends no time', async (context) => {
    const stranger = await startStranger(context, (_, response) => {
      response.sendDate = false;
      response.writeHead(404).end('{"status":404,"message":"Book not found","data":null}');
    });
    const found = await diagnose(await temporaryFolder(context), {}, ['--url', stranger.url]);
    assert.deepEqual(found.of('clock'), []);
    assert.equal(found.code, 0);
  });

  test('an invalid address exits with 2', async (context) => {
    const cwd = await temporaryFolder(context);
    const { code, stderr } = await shelflist(['doctor', '--url', 'ftp://x'], { cwd });
    assert.match(stderr, /^shelflist: the address of a service starts with http/);
    assert.equal(code, 2);
  });
});

describe('output formats of doctor', () => {
  const env = { SHELFLIST_URL: 'http://127.0.0.1:1' };
  const service =
    'cannot reach http://127.0.0.1:1: nothing listens there; start the service with `shelflist serve`, or name another with --url';
  const table: [options: string[], stdout: string][] = [
    [
      [],
      `configuration\tnote\tno service is set up in this folder\tshelflist init\nservice\tproblem\t${service}\tshelflist serve\n`,
    ],
    [
      ['--format', 'csv'],
      `check,state,finding,fix\nconfiguration,note,no service is set up in this folder,shelflist init\nservice,problem,"${service}",shelflist serve\n`,
    ],
  ];
  for (const [options, stdout] of table) {
    test(`doctor ${options.join(' ')}`, async (context) => {
      const outcome = await shelflist(['doctor', ...options], {
        cwd: await temporaryFolder(context),
        env,
      });
      assert.equal(outcome.stdout, stdout);
      assert.equal(outcome.stderr, 'shelflist: 1 problem; see the fix for each above\n');
      assert.equal(outcome.code, 1);
    });
  }

  test('nothing is truncated on a terminal', { skip: noTerminal }, async (context) => {
    const cwd = await temporaryFolder(context);
    const { code, screen } = await terminal('shelflist doctor', { cwd, env: { ...env, NO_COLOR: '1' } });
    assert.equal(
      screen,
      [
        'note  configuration: no service is set up in this folder',
        '    fix: shelflist init',
        `problem  service: ${service}`,
        '    fix: shelflist serve',
        'shelflist: 1 problem; see the fix for each above',
        '',
      ].join('\n'),
    );
    assert.equal(code, 1);
    const coloured = await terminal('shelflist doctor', { cwd, env });
    assert.match(coloured.screen, /\x1b\[31mproblem\x1b\[39m/); // eslint-disable-line no-control-regex -- it is the colour.
  });
});
