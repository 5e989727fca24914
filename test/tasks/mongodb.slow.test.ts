import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { parse } from 'dotenv';
import { MongoClient } from 'mongodb';
import { openStore } from '../../src/index.ts';
import { program, shell } from '../support/cli.ts';
import { connect } from '../support/client.ts';
import { blocksOf } from '../support/documents.ts';
import { startMongods } from '../support/mongod.ts';
import { startForeground } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

const set = await startMongods({ root: { name: 'root', password: 'root' } });
const skip = 'skip' in set ? set.skip : false;
after(() => ('skip' in set ? undefined : set.stop()));

const codes = blocksOf('docs/mongodb.md').map(({ code }) => code);
const [createUser = '', typePassword = '', moving = '', back = ''] = codes;

interface NewUser {
  user: string;
  pwd: string;
  roles: { role: string; db: string }[];
}

/** Runs what an administrator types in mongosh. */
async function runAsAdministrator(code: string, hosts: string): Promise<void> {
  const users: [database: string, user: NewUser][] = [];
  const getSiblingDB = (database: string) => ({
    createUser: (user: NewUser) => users.push([database, user]),
  });
  runInNewContext(code, { db: { getSiblingDB }, passwordPrompt: () => 'PASSWORD' });
  const client = await new MongoClient(`mongodb://root:root@${hosts}/?replicaSet=testset`).connect();
  for (const [database, { user, pwd, roles }] of users)
    await client.db(database).command({ createUser: user, pwd, roles });
  await client.close();
  assert.equal(users.length, 1);
}

describe('docs/mongodb.md', { skip }, () => {
  test('moves a catalogue to MongoDB and back, by its commands', async (t) => {
    if ('skip' in set) return;
    const hosts = set.url.replace(/^mongodb:\/\/([^/@]*@)?([^/?]*).*/s, '$2');
    const cwd = await temporaryFolder(t);
    const type = async (code: string) => {
      const adapted = code
        .replace('db.example.org', hosts)
        .replace('replicaSet=rs0&tls=true', 'replicaSet=testset') // The server of the test has no certificate.
        .replace(/^shelflist doctor$/m, '$& || true'); // It reports that the service is stopped.
      const {
        code: status,
        stdout,
        stderr,
      } = await shell(`set -e\n${adapted}`, { cwd, input: 'PASSWORD\n' });
      assert.equal(status, 0, `${code}\n${stderr}`);
      return stdout + stderr;
    };
    const settings = async () => parse(await readFile(join(cwd, '.env')));
    await type('shelflist init');
    // An editor need not end the last line.
    const withoutNewline = async () => {
      const text = await readFile(join(cwd, '.env'), 'utf8');
      await writeFile(join(cwd, '.env'), `${text}LOG_LEVEL=warn`);
    };
    await withoutNewline();
    const store = await openStore(`file:${join(cwd, 'data')}`);
    await store.createMany([{ title: 'Emma', author: 'Jane Austen' }, { title: 'Persuasion' }]);
    for (let year = 1; year <= 40; year++) await store.update(1, { year });
    const before = await store.find({}, { limit: 10 });
    await store.close();

    await runAsAdministrator(createUser, hosts);
    const printed = await type(typePassword + moving);
    assert.match(printed, /would copy 2 books/);
    assert.match(printed, /copied 2 books[^]*9 older changes left out[^]*digest of both/);
    assert.match(printed, /store\tok\t/);
    const { AUTH_USERNAME = '', AUTH_PASSWORD = '', DATABASE_URL = '', LOG_LEVEL } = await settings();
    assert.equal(LOG_LEVEL, 'warn');
    assert.match(DATABASE_URL, /^mongodb:\/\/shelflist:/);
    for (const name of ['target', '.env', '.env.before'])
      assert.equal((await stat(join(cwd, name))).mode & 0o077, 0, `${name} is private`);
    const service = await startForeground(t, process.execPath, [program, 'serve', '--port', '0'], { cwd });
    const client = connect(t, service.url);
    await client.login(AUTH_USERNAME, AUTH_PASSWORD);
    assert.deepEqual(await client.list(), before.books);
    assert.equal((await client.history(1)).length, 31);
    await service.stop();

    await withoutNewline();
    const returned = await type(back);
    assert.match(returned, /copied 2 books/);
    assert.match(returned, /store\tok\t/);
    assert.equal((await settings()).DATABASE_URL, 'file:./data');
    const again = await openStore(`file:${join(cwd, 'data')}`);
    t.after(() => again.close());
    assert.deepEqual((await again.find({}, { limit: 10 })).books, before.books);
  });
});
