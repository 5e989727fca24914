import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  readdir,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { fieldNames } from '../../../src/catalogue/fields.ts';
import { createClient, openStore, type Book } from '../../../src/index.ts';
import { fileMode } from '../../../src/lib/atomic-file.ts';
import { keptFile } from '../../store/kept-formats.ts';
import { newestFormat } from '../../../src/store/sqlite/migrations.ts';
import { cleanEnvironment, program, serve, settings, shell, shelflist } from '../../support/cli.ts';
import { keepWriting, Ledger } from '../../support/ledger.ts';
import { sized } from '../../support/size.ts';
import { DatabaseSync, damageTable, faultsOf, spoilRecord } from '../../support/sqlite-file.ts';
import { closeFiles } from '../../support/garbage.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

/** A folder with a store in it: three books were created, and the last one deleted. */
async function folderWithStore(context: Scope): Promise<string> {
  const cwd = await temporaryFolder(context);
  const store = await openStore(`file:${join(cwd, 'data')}`);
  for (const title of ['Emma', 'Persuasion', 'Sanditon'])
    await store.create({ title, author: 'é', year: -1 });
  await store.delete(3);
  await closeFiles(store);
  return cwd;
}

/** What plain SQLite finds in a backup, of which it says that it is sound. */
function readBackup(file: string): { journal: string; epoch: string; books: unknown[] } {
  const db = new DatabaseSync(file, { readOnly: true, returnArrays: true });
  const rows = (sql: string) => db.prepare(sql).all() as unknown as string[][];
  assert.deepEqual(rows('PRAGMA integrity_check'), [['ok']]);
  const journal = rows('PRAGMA journal_mode')[0]?.[0] ?? '';
  const found = { journal, epoch: rows('SELECT epoch FROM meta')[0]?.[0] ?? '' };
  const books = rows(`SELECT id, ${fieldNames.join()} FROM books ORDER BY id`);
  db.close();
  return { ...found, books };
}

/** All books of a store, and the id that comes next. */
async function contentsOf(path: string): Promise<{ books: Book[]; next: number }> {
  const store = await openStore(`file:${path}`);
  const books: Book[] = [];
  for await (const page of store.iterate()) books.push(...page);
  const { id } = await store.create({ title: '', author: '', year: 0 });
  await closeFiles(store);
  return { books, next: id };
}

test('a restored backup has the same books and the same id counter', async (context) => {
  const cwd = await folderWithStore(context);
  const backup = await shelflist(['backup', 'copy.backup'], { cwd });
  assert.match(backup.stderr, /^backed up 2 books to copy\.backup in [\d.]+ s; the last id is 3\n$/);
  assert.deepEqual([backup.code, backup.stdout], [0, '']);
  assert.deepEqual((await readdir(cwd)).sort(), ['copy.backup', 'data']);
  const restore = await shelflist(['restore', 'copy.backup', '-d', 'file:./other', '--json'], { cwd });
  assert.deepEqual([restore.code, restore.stderr], [0, '']);
  const { changedAt, ...report } = JSON.parse(restore.stdout) as { changedAt: string };
  assert.deepEqual(report, { file: 'copy.backup', books: 2, format: newestFormat, lastId: 3, damaged: [] });
  assert.ok(Math.abs(Date.now() - Date.parse(changedAt)) < 600_000);
  const [copied, made] = [readBackup(join(cwd, 'copy.backup')), readBackup(join(cwd, 'other/shelflist.db'))];
  assert.deepEqual(made.books, copied.books);
  assert.notEqual(made.epoch, copied.epoch, 'versions from after the backup do not come again');
  const restored = await contentsOf(join(cwd, 'other'));
  assert.deepEqual(restored, await contentsOf(join(cwd, 'data')));
  assert.equal(restored.next, 4, 'the id of the book that was deleted is not given again');
});

test('a backup under 24 writers is a consistent snapshot with all writes acknowledged before it', async (context) => {
  const cwd = await temporaryFolder(context);
  const service = await serve(context, cwd, { ...settings, WORKERS: '2' });
  const login = createClient({ url: service.url });
  const token = await login.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  const { ids } = await login.createMany(Array.from({ length: 300 }, (_, i) => ({ title: `${i}` })));
  assert.equal(ids.length, 300);
  const before = await login.list();
  const clients = Array.from({ length: 24 }, () => createClient({ url: service.url, token }));
  const end = new AbortController();
  context.after(() => {
    end.abort();
  });
  const ledger = new Ledger();
  const writing = clients.map((client) => keepWriting(ledger, client, end.signal));
  for (let round = 1, underWriters = 0; underWriters < sized({ short: 1, long: 3 }); round++) {
    const { acknowledged } = ledger;
    const { code, stdout } = await shelflist(['backup', `${round}.backup`, '--json'], { cwd });
    assert.equal(code, 0);
    // On a busy machine, a backup may take less time than a write.
    if (ledger.acknowledged > acknowledged) underWriters++;
    const { books: count, lastId } = JSON.parse(stdout) as { books: number; lastId: number };
    await shelflist(['restore', `${round}.backup`, '-d', `file:./${round}`], { cwd });
    const plain = readBackup(join(cwd, `${round}.backup`));
    assert.deepEqual([plain.journal, plain.books.length], ['delete', count]);
    assert.deepEqual(faultsOf(join(cwd, String(round))), []);
    const { books, next } = await contentsOf(join(cwd, String(round)));
    assert.equal(books.length, count);
    assert.equal(next, lastId + 1);
    assert.deepEqual(books.slice(0, before.length), before);
  }
  end.abort();
  await Promise.all(writing);
  ledger.check((await login.list()).slice(before.length), { isSettled: true });
  for (const client of [...clients, login]) client.close();
  assert.equal(await service.stop(), 0);
});

test('a compressed backup, and one from standard input, are verified and restored', async (context) => {
  const cwd = await folderWithStore(context);
  const made = await shelflist(['backup', 'copy.backup.gz'], { cwd });
  assert.deepEqual([made.code, (await readdir(cwd)).sort()], [0, ['copy.backup.gz', 'data']]);
  assert.equal(await fileMode(join(cwd, 'copy.backup.gz')), '600');
  const lines = [
    'shelflist backup - > piped && gzip -t copy.backup.gz',
    'shelflist verify copy.backup.gz && shelflist restore copy.backup.gz -d file:./a',
    'shelflist verify - < piped && shelflist restore - -d file:./b < piped',
    'shelflist restore - -d file:./c < copy.backup.gz',
  ];
  for (const line of lines) {
    const { code, stderr } = await shell(line, { cwd });
    assert.equal(code, 0, stderr);
  }
  for (const name of ['a', 'b', 'c']) {
    const { books, next } = await contentsOf(join(cwd, name));
    assert.deepEqual([books.map(({ title }) => title), next], [['Emma', 'Persuasion'], 4]);
  }
});

test('verify describes a sound backup, and refuses a damaged one', async (context) => {
  const cwd = await folderWithStore(context);
  await shelflist(['backup', 'x'], { cwd });
  const sound = await shelflist(['verify', 'x'], { cwd });
  assert.match(
    sound.stderr,
    /^x is sound: 2 books, the last id is 3, the last change was at [\d: -]+, format \d+\n$/,
  );
  assert.equal(sound.code, 0);
  await shelflist(['backup', 'x.gz'], { cwd });
  await truncate(join(cwd, 'x'), 12_288);
  await truncate(join(cwd, 'x.gz'), 200);
  for (const [name, reason] of [
    ['x', /x: .*is damaged/],
    ['x.gz', /cannot read x\.gz: it is damaged: it cannot be decompressed; choose another backup\n$/],
    ['data', /cannot read data: it is a folder; name a file in it/],
  ] as const) {
    const { code, stderr } = await shelflist(['verify', name], { cwd });
    assert.match(stderr, reason);
    assert.equal(code, 1);
  }
});

/** What the names of the backups of the store in a folder have in common. */
async function seriesOf(cwd: string): Promise<string> {
  await mkdir(join(cwd, 'first'));
  const { stdout } = await shelflist(['backup', 'first', '--keep', '1', '--json'], { cwd });
  const { file } = JSON.parse(stdout) as { file: string };
  return /Z-([0-9a-f]{8})\.backup\.gz$/.exec(file)?.[1] ?? assert.fail(file);
}

test('--keep leaves the backups of another store in the same folder', async (context) => {
  const [one, other] = [await folderWithStore(context), await folderWithStore(context)];
  const kept = await temporaryFolder(context);
  for (let i = 0; i < 2; i++)
    for (const cwd of [one, other]) {
      const { code, stderr } = await shelflist(['backup', kept, '--keep', '1'], { cwd });
      assert.equal(code, 0, stderr);
    }
  const names = (await readdir(kept)).map((name) => name.slice(-19));
  assert.deepEqual([names.length, new Set(names).size], [2, 2]);
  const moved = `${one}/moved`;
  await cp(join(one, 'data'), moved, { recursive: true });
  await shelflist(['backup', kept, '--keep', '1', '--database-url', `file:${moved}`], { cwd: one });
  assert.equal((await readdir(kept)).length, 3);
});

test('--keep removes the oldest of its own backups, once the new one is complete, and nothing else', async (context) => {
  const cwd = await folderWithStore(context);
  await mkdir(join(cwd, 'kept'));
  const others = ['books.backup.gz', 'shelflist-2020-01-01.backup.gz', 'shelflist.db.format-1'];
  for (const name of others) await writeFile(join(cwd, 'kept', name), 'mine');
  const series = await seriesOf(cwd);
  const old = `shelflist-2020-01-01T00-00-00-000Z-${series}.backup.gz`;
  await writeFile(join(cwd, 'kept', old), 'old');
  const link = `shelflist-2020-01-02T00-00-00-000Z-${series}.backup.gz`;
  await symlink('gone', join(cwd, 'kept', link));
  others.push(link, `shelflist-2020-01-01T00-00-00-000Z-${'0'.repeat(8)}.backup.gz`);
  await writeFile(join(cwd, 'kept', others.at(-1) ?? ''), 'of another store');
  const made: (string | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    const { stdout } = await shelflist(['backup', 'kept', '--keep', '2', '--json'], { cwd });
    const { file, removed } = JSON.parse(stdout) as { file: string; removed: string[] };
    made.push(basename(file));
    assert.deepEqual(removed, [[], [old], [made[0]]][i]);
  }
  assert.deepEqual((await readdir(join(cwd, 'kept'))).sort(), [...others, ...made.slice(1)].sort());
  const { code, stderr } = await shelflist(['verify', `kept/${made[2] ?? ''}`], { cwd });
  assert.equal(code, 0, stderr);
});

test('--keep removes what killed backups left, and nothing that one may still write', async (context) => {
  const cwd = await folderWithStore(context);
  const folder = join(cwd, 'kept');
  await mkdir(folder);
  const name = 'shelflist-2020-01-01T00-00-00-000Z-0123abcd.backup.gz';
  const left = ['tmp', 'tmp.plain', 'tmp.plain-journal'].map((end) => `${name}.x7d0k2ab.${end}`);
  const others = [`${name}.x7d0k2ab.part`, 'mine.backup.gz.x7d0k2ab.tmp.plain', `${name}.x7d0k2abc.tmp`];
  const running = `${name}.r.tmp.plain`;
  for (const each of [...left, ...others, running]) await writeFile(join(folder, each), '');
  const old = new Date(Date.now() - 13 * 3_600_000);
  for (const each of [...left, ...others]) await utimes(join(folder, each), old, old);
  const { code, stdout } = await shelflist(['backup', 'kept', '--keep', '9', '--json'], { cwd });
  const { file } = JSON.parse(stdout) as { file: string };
  assert.equal(code, 0);
  assert.deepEqual((await readdir(folder)).sort(), [...others, running, basename(file)].sort());
});

test('a backup on a full disk leaves no file, and says what to do', async (context) => {
  const cwd = await temporaryFolder(context);
  const store = await openStore(`file:${join(cwd, 'data')}`);
  await store.createMany(Array.from({ length: 1000 }, () => ({ title: 'x'.repeat(1000) })));
  await closeFiles(store);
  await mkdir(join(cwd, 'kept'));
  for (const target of ['kept/x', 'kept/x.gz', 'kept --keep 3']) {
    const { code, stderr } = await shell(`ulimit -f 100; shelflist backup ${target}`, { cwd });
    assert.match(
      stderr,
      /^shelflist: cannot write kept\/\S+ \(.+\); check the space .+, or choose another\n$/,
    );
    assert.equal(code, 1);
    assert.deepEqual(await readdir(join(cwd, 'kept')), []);
  }
});

test('--keep never removes the new backup: those that a wrong clock dated in the future go first', async (context) => {
  const cwd = await folderWithStore(context);
  await mkdir(join(cwd, 'kept'));
  const series = await seriesOf(cwd);
  const future = ['2999-01-01', '2999-01-02'].map(
    (day) => `shelflist-${day}T00-00-00-000Z-${series}.backup.gz`,
  );
  for (const name of future) await writeFile(join(cwd, 'kept', name), 'mine');
  const made: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { stdout } = await shelflist(['backup', 'kept', '--keep', '2', '--json'], { cwd });
    const { file, removed } = JSON.parse(stdout) as { file: string; removed: string[] };
    made.push(basename(file));
    assert.deepEqual(removed, [future[i]]);
  }
  assert.deepEqual((await readdir(join(cwd, 'kept'))).sort(), made);
});

test('verify, restore and copy refuse the data file of a store in use, also while its log is empty', async (context) => {
  const cwd = await folderWithStore(context);
  const store = await openStore(`file:${join(cwd, 'data')}`);
  context.after(() => closeFiles(store));
  assert.equal((await stat(join(cwd, 'data/shelflist.db-wal'))).size, 0);
  for (const command of [
    ['restore', 'data/shelflist.db', '-d', 'file:./other'],
    ['verify', 'data/shelflist.db'],
    ['copy', 'data/shelflist.db', 'file:./other'],
  ]) {
    if (command[0] === 'verify') await store.create({ title: 'Later' });
    const { code, stderr } = await shelflist(command, { cwd });
    assert.match(
      stderr,
      /it belongs to a store in use, or one that was not closed; copy that with `shelflist backup`/,
    );
    assert.equal(code, 1);
  }
  assert.ok(!(await readdir(cwd)).includes('other'));
});

test('a killed backup leaves no file under its name, and the next backup is complete', async (context) => {
  const cwd = await temporaryFolder(context);
  const store = await openStore(`file:${join(cwd, 'data')}`);
  const title = 'x'.repeat(100_000);
  await Promise.all(Array.from({ length: 200 }, () => store.create({ title, author: '', year: 0 })));
  await closeFiles(store);
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [program, 'backup', 'copy', '-d', 'file:./data'], {
      cwd,
      env: cleanEnvironment(cwd),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const hasStarted = async () => (await readdir(cwd)).some((name) => name.startsWith('copy.'));
    while (child.exitCode === null && !(await hasStarted())) await new Promise(setImmediate);
    child.kill('SIGKILL');
    await ended;
    const isThere = (await readdir(cwd)).includes('copy');
    assert.equal(isThere, child.exitCode === 0, 'it has its name if it has ended well, and only then');
  }
  const { code } = await shelflist(['backup', 'copy', '--force'], { cwd });
  assert.equal(code, 0);
  assert.equal(readBackup(join(cwd, 'copy')).books.length, 200);
});

/** The store is named, not the temporary file that the backup wrote. */
const damagedStore =
  /^shelflist: cannot use the store \S+\/data: shelflist\.db is damaged, or not a database; move the folder away and restore a backup in its place .+\n$/;

describe('refused commands create and change nothing', () => {
  type Prepare = (cwd: string) => Promise<unknown>;
  const table: { what: string; prepare: Prepare; command: string[]; code: number; stderr: RegExp }[] = [
    {
      what: 'no store',
      prepare: (cwd) => mkdir(join(cwd, 'empty')),
      command: ['backup', 'x', '-d', 'file:./empty'],
      code: 1,
      stderr: /there is none; name the folder of the service by --database-url or DATABASE_URL/,
    },
    {
      what: 'no folder',
      prepare: () => Promise.resolve(),
      command: ['backup', 'x', '-d', 'file:./none'],
      code: 1,
      stderr: /there is none; name the folder of the service by --database-url or DATABASE_URL/,
    },
    {
      what: 'a file that is there',
      prepare: (cwd) => writeFile(join(cwd, 'x'), 'mine'),
      command: ['backup', 'x'],
      code: 1,
      stderr: /--force replaces it/,
    },
    {
      what: 'a folder in place of the file',
      prepare: (cwd) => mkdir(join(cwd, 'x')),
      command: ['backup', 'x'],
      code: 1,
      stderr: /x is not a file; name a file in it, or keep backups there with --keep 30\n$/,
    },
    {
      what: 'a file in place of the folder of --keep',
      prepare: (cwd) => writeFile(join(cwd, 'x'), 'mine'),
      command: ['backup', 'x', '--keep', '3'],
      code: 1,
      stderr: /^shelflist: cannot write x\/shelflist-\S+: x is not a folder; name another\n$/,
    },
    {
      what: 'a name of a file that ends as that of a folder',
      prepare: () => Promise.resolve(),
      command: ['backup', 'x.gz/'],
      code: 1,
      stderr: /x\.gz\/ is not a file/,
    },
    {
      what: 'the data file itself',
      prepare: () => Promise.resolve(),
      command: ['backup', 'data/shelflist.db', '--force'],
      code: 1,
      stderr: /data\/shelflist\.db would be in the folder of a store; choose another/,
    },
    {
      what: 'beside the data file',
      prepare: () => Promise.resolve(),
      command: ['backup', 'data/x'],
      code: 1,
      stderr: /would be in the folder of a store/,
    },
    {
      what: 'standard output, with what only a folder can have',
      prepare: () => Promise.resolve(),
      command: ['backup', '-', '--keep', '3'],
      code: 2,
      stderr: /--json and --keep need a file or a folder, not standard output/,
    },
    {
      what: 'a number of backups that is none',
      prepare: (cwd) => mkdir(join(cwd, 'x')),
      command: ['backup', 'x', '--keep', '0'],
      code: 2,
      stderr: /expected a whole number from 1/,
    },
    {
      what: 'an empty standard input',
      prepare: () => Promise.resolve(),
      command: ['restore', '-', '-d', 'file:./new'],
      code: 1,
      stderr: /on standard input: it is not a backup: it is empty/,
    },
    {
      what: 'an empty file',
      prepare: (cwd) => writeFile(join(cwd, 'x'), ''),
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /x: it is not a backup/,
    },
    {
      what: 'a folder',
      prepare: (cwd) => mkdir(join(cwd, 'x')),
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /cannot read x: it is a folder; name a file in it/,
    },
    {
      what: 'a missing file',
      prepare: () => Promise.resolve(),
      command: ['restore', 'x'],
      code: 1,
      stderr: /^shelflist: cannot read x: no such file; name one that `shelflist backup` has written\n$/,
    },
    {
      what: 'no folder for the file',
      prepare: () => Promise.resolve(),
      command: ['backup', 'no/x'],
      code: 1,
      stderr: /cannot write no\/x: the folder no does not exist; create it: mkdir -p no/,
    },
    {
      what: 'a MongoDB',
      prepare: () => Promise.resolve(),
      command: ['backup', 'x', '-d', 'mongodb://localhost/a'],
      code: 1,
      stderr: /mongodump/,
    },
    {
      what: 'a MongoDB',
      prepare: () => Promise.resolve(),
      command: ['restore', 'x', '-d', 'mongodb://localhost/a'],
      code: 1,
      stderr: /mongorestore/,
    },
    {
      what: 'a password',
      prepare: () => Promise.resolve(),
      command: ['backup', 'x', '-d', 'mongodb://u:pass@localhost/a'],
      code: 2,
      stderr: /holds a password/,
    },
    {
      what: 'no address',
      prepare: () => Promise.resolve(),
      command: ['backup', 'x', '-d', 'data'],
      code: 1,
      stderr: /DATABASE_URL \(flag --database-url\) is/,
    },
    {
      what: 'a damaged store',
      prepare: (cwd) => truncate(join(cwd, 'data/shelflist.db'), 12_288),
      command: ['backup', 'x'],
      code: 1,
      stderr: damagedStore,
    },
    {
      what: 'a store with a damaged page',
      prepare: (cwd) => damageTable(join(cwd, 'data'), 'changes'),
      command: ['backup', 'x.gz'],
      code: 1,
      stderr: damagedStore,
    },
    {
      what: 'a store with a damaged page',
      prepare: (cwd) => damageTable(join(cwd, 'data'), 'changes'),
      command: ['backup', '-'],
      code: 1,
      stderr: damagedStore,
    },
    {
      what: 'a backup with a damaged page',
      prepare: async (cwd) => {
        await damageTable(join(cwd, 'data'), 'changes');
        await copyFile(join(cwd, 'data/shelflist.db'), join(cwd, 'x'));
      },
      command: ['verify', 'x'],
      code: 1,
      stderr: /\/x: it is damaged, or not a backup; choose another one\n$/,
    },
    {
      what: 'a store that is about to begin',
      prepare: async (cwd) => {
        await copyFile(join(cwd, 'data/shelflist.db'), join(cwd, 'x'));
        await mkdir(join(cwd, 'new'));
        await writeFile(join(cwd, 'new/shelflist.db'), '');
      },
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /there is a store already/,
    },
    {
      what: 'no backup',
      prepare: () => Promise.resolve(),
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /cannot read x: no such file/,
    },
    {
      what: 'a store that is there',
      prepare: (cwd) => copyFile(join(cwd, 'data/shelflist.db'), join(cwd, 'x')),
      command: ['restore', 'x'],
      code: 1,
      stderr: /there is a store already; stop its service and move the folder away first/,
    },
    {
      what: 'a text',
      prepare: (cwd) => writeFile(join(cwd, 'x'), 'title,author\n'.repeat(1000)),
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /x: it is damaged, or not a backup; choose another one/,
    },
    {
      what: 'half a backup',
      prepare: async (cwd) => {
        await copyFile(join(cwd, 'data/shelflist.db'), join(cwd, 'x'));
        await truncate(join(cwd, 'x'), 12_288);
      },
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /x: .*is damaged/,
    },
    {
      what: "another program's",
      prepare: (cwd) => {
        const db = new DatabaseSync(join(cwd, 'x'));
        db.exec('CREATE TABLE theirs (a)');
        db.close();
        return Promise.resolve();
      },
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /x: the file belongs to another program/,
    },
    {
      what: "somebody's folder",
      prepare: async (cwd) => {
        await copyFile(join(cwd, 'data/shelflist.db'), join(cwd, 'x'));
        await mkdir(join(cwd, 'new'));
        await writeFile(join(cwd, 'new/thesis.doc'), '');
      },
      command: ['restore', 'x', '-d', 'file:./new'],
      code: 1,
      stderr: /contains other files \(thesis\.doc\)/,
    },
  ];
  for (const { what, prepare, command, code, stderr } of table) {
    test(`${what}: shelflist ${command.join(' ')}`, async (context) => {
      const cwd = await folderWithStore(context);
      await prepare(cwd);
      const before = await filesOf(cwd);
      const outcome = await shelflist(command, { cwd });
      assert.match(outcome.stderr, stderr);
      assert.doesNotMatch(outcome.stderr, /pass@/);
      assert.deepEqual([outcome.code, outcome.stdout], [code, '']);
      assert.deepEqual(await filesOf(cwd), before);
    });
  }
});

/** The files below a folder, with their lengths; what SQLite makes for itself is not among them. */
async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = await Promise.all(
    names
      .filter((name) => !/-(wal|shm)$/.test(name))
      .map(async (name) => {
        const { size } = await stat(join(folder, name));
        return `${name} ${size}`;
      }),
  );
  return files.sort();
}

test('an export into the folder of a store is refused', async (context) => {
  const cwd = await folderWithStore(context);
  const { code, stderr } = await shelflist(['export', 'data/shelflist.db', '--format', 'csv', '--force'], {
    cwd,
  });
  assert.match(stderr, /data\/shelflist\.db would be in the folder of a store; choose another\n$/);
  assert.equal(code, 1);
});

test('--force replaces a file and keeps its mode', async (context) => {
  const cwd = await folderWithStore(context);
  await writeFile(join(cwd, 'x'), 'an older backup', { mode: 0o640 });
  const { code, stderr } = await shelflist(['backup', 'x', '--force'], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /^backed up 2 books to x /);
  if (process.platform !== 'win32') assert.equal((await stat(join(cwd, 'x'))).mode & 0o777, 0o640);
  assert.equal((await shelflist(['restore', 'x', '-d', 'file:./new'], { cwd })).code, 0);
});

test('a read-only backup is restored as a store that its owner can write', async (context) => {
  const cwd = await folderWithStore(context);
  await shelflist(['backup', 'x'], { cwd });
  await chmod(join(cwd, 'x'), 0o444);
  assert.equal((await shelflist(['restore', 'x', '-d', 'file:./new'], { cwd })).code, 0);
  if (process.platform !== 'win32')
    assert.equal((await stat(join(cwd, 'new/shelflist.db'))).mode & 0o777, 0o644);
});

test('after an interrupted restore, the folder can still be used', async (context) => {
  const cwd = await folderWithStore(context);
  await shelflist(['backup', 'x'], { cwd });
  await mkdir(join(cwd, 'new'));
  await writeFile(join(cwd, 'new/shelflist.db.abc.tmp'), 'half');
  const { code } = await shelflist(['restore', 'x', '-d', 'file:./new'], { cwd });
  assert.equal(code, 0);
  assert.equal((await contentsOf(join(cwd, 'new'))).books.length, 2);
});

for (const [what, prepare, advice] of [
  ['store', 'mkdir old && mv kept old/shelflist.db', 'start a service on it once'],
  ['backup', 'mv kept old', 'restore it, and start a service on that once'],
] as const)
  test(`a ${what} of an older format is copied after what the refusal says`, async (context) => {
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, 'kept'), await keptFile(2));
    await shell(prepare, { cwd });
    const from = what === 'store' ? 'file:./old' : 'old';
    const { code, stderr } = await shell(`shelflist copy ${from} file:./copy`, { cwd });
    assert.match(stderr, /^shelflist: cannot use the store \S+: it has an older format; /);
    assert.ok(stderr.includes(advice), stderr);
    assert.equal(code, 1);
    if (what === 'backup') await shelflist(['restore', 'old', '-d', 'file:./data'], { cwd });
    const folder = what === 'store' ? 'old' : 'data';
    await (await openStore(`file:${join(cwd, folder)}`)).close();
    const again = await shelflist(['copy', `file:./${folder}`, 'file:./copy'], { cwd });
    assert.equal(again.code, 0, again.stderr);
  });

test('the advice after a restore includes --database-url if it was given', async (context) => {
  const cwd = await folderWithStore(context);
  await shelflist(['backup', 'x'], { cwd });
  const { stderr } = await shelflist(['restore', 'x', '-d', 'file:./new'], { cwd });
  assert.match(
    stderr,
    /^restored 2 books to \.\/new; .+\nnext: {2}start the service again, for example: {2}shelflist serve --database-url file:\.\/new\n$/,
  );
});

test('a backup warns of a record that is not a book, which can be deleted', async (context) => {
  const cwd = await folderWithStore(context);
  spoilRecord(join(cwd, 'data'), 2);
  const told = /^record 2 is not a book; lists and searches leave it out\n/;
  assert.match((await shelflist(['backup', 'x'], { cwd })).stderr, told);
  const restored = await shelflist(['restore', 'x', '-d', 'file:./new', '--json'], { cwd });
  const { changedAt, ...report } = JSON.parse(restored.stdout) as { changedAt: string };
  assert.deepEqual(report, { file: 'x', books: 2, format: newestFormat, lastId: 3, damaged: [2] });
  assert.ok(Date.parse(changedAt) > 0);
  const service = await serve(context, cwd, { ...settings, DATABASE_URL: 'file:./new' });
  const env = {
    ...settings,
    DATABASE_URL: 'file:./new',
    SHELFLIST_URL: service.url,
    SHELFLIST_USERNAME: settings.AUTH_USERNAME,
    SHELFLIST_PASSWORD: settings.AUTH_PASSWORD,
  };
  const doctor = await shelflist(['doctor', '--json'], { cwd, env });
  const findings = JSON.parse(doctor.stdout) as { check: string; fix?: string }[];
  assert.equal(findings.find(({ check }) => check === 'records')?.fix, 'shelflist delete 2');
  const deleted = await shelflist(['delete', '2'], { cwd, env });
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.deepEqual((await shelflist(['list'], { cwd, env })).stdout, '1\tEmma\té\t-1\n');
});
