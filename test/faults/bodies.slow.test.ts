import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { fieldNames, fields } from '../../src/catalogue/fields.ts';
import { bodyCase, kinds } from './bodies.ts';
import { BodyCheck } from './body-check.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { keysOf, openDriver } from '../support/mongo-driver.ts';
import { embeddedStore, startService } from '../support/service.ts';
import { sized } from '../support/size.ts';
import type { Scope } from '../support/temp.ts';

const mongod = await startMongod();
const cleanup: (() => unknown)[] = ['skip' in mongod ? () => undefined : mongod.stop];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

/** The number of bodies sent at once. */
const atOnce = 50;

const huge = 'x'.repeat(1_000_000);
const deep = '['.repeat(100_000);
const deepest = deep + ']'.repeat(100_000);
const rows: [what: string, body: string | Buffer][] = [
  ['nothing', ''],
  ['a byte order mark', '\ufeff{"title":"A"}'],
  ['UTF-16', Buffer.from('{"title":"A"}', 'utf16le')],
  ['deep nesting', deep],
  ['deep nesting that ends', deepest],
  ['deep nesting in a member', `{"title":"A","x":${deepest}}`],
  ['deep nesting in an array', `[{"title":"A","x":${deepest}}]`],
  ['deep objects', `${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['a huge title', `{"title":"${huge}"}`],
  ['a huge title in an array', `[{"title":"${huge}"}]`],
  ['a huge name', `{"${huge}":1,"title":"A"}`],
  ['a huge number', `{"year":${'1'.repeat(1_000_000)}}`],
  ['a number that is huge by its exponent', `{"year":1e${'9'.repeat(100_000)}}`],
  ['many members', `{${Array.from({ length: 50_000 }, (_, i) => `"${i}":0`).join()}}`],
  ['a space that is none', '[\u00a0]'],
  ['a space that is none behind a book', '[{"title":"A"}\u00a0]'],
  ['a space that is none between', '[{"title":"A"},\u00a0{"title":"B"}]'],
  ['half a pair', '{"title":"\\ud800"}'],
  ['half a pair in bytes', Buffer.from('7b227469746c65223a22eda080227d', 'hex')],
  ['a letter spelled too long', Buffer.from('7b227469746c65223a22c181227d', 'hex')],
  ['the prototype', '{"__proto__":{"title":"A","polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
];

const stores = [
  {
    name: 'SQLite',
    skip: false,
    config: () => embeddedStore(wholeFile),
    cases: sized({ short: 200, long: 100_000 }),
  },
  {
    name: 'MongoDB',
    skip: 'skip' in mongod ? mongod.skip : false,
    config: () => Promise.resolve({ databaseUrl: newDatabaseUrl(mongod) }),
    cases: sized({ short: 50, long: 10_000 }),
  },
];

for (const { name, skip, config, cases } of stores) {
  describe(`on ${name}, what is stored is what was sent, and nothing else`, { skip }, async () => {
    if (skip !== false) return;
    const place = await config();
    const service = await startService(wholeFile, place);
    const check = new BodyCheck(wholeFile, service);
    const targets: number[] = [];
    for (let i = 0; i < atOnce; i++) targets.push(await check.makeTarget());
    const [first = 0] = targets;

    for (const [what, body] of rows) {
      test(what, async () => {
        for (const kind of kinds) await check.check({ kind, body: Buffer.from(body) }, first);
      });
    }

    test(`${cases} bodies of all kinds`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(bodyCase, { minLength: atOnce, maxLength: atOnce }), async (bodies) => {
          await Promise.all(bodies.map((each, i) => check.check(each, targets[i] ?? 0)));
        }),
        { numRuns: cases / atOnce, endOnFailure: true },
      );
    });

    test('in the end', async () => {
      await check.checkAll();
      assert.deepEqual(Object.keys(Object.prototype), []);
      assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined);
      // Among the bodies are logins with another password.
      assert.deepEqual(
        service.log.filter((line) => !line.startsWith('failed login ')),
        [],
      );
      const { databaseUrl } = place;
      if (databaseUrl.startsWith('mongodb:')) await checkRecords(databaseUrl, check.books.size);
    });
  });
}

/** Nothing in a record but what a book has and what the service puts there itself, all of it text and numbers. */
async function checkRecords(url: string, count: number): Promise<void> {
  const db = await openDriver(wholeFile, url);
  const members = ['_id', ...fieldNames, 'index', 'rev', 'history', 'creation'];
  let found = 0;
  for await (const record of db.collection('books').find()) {
    assert.equal(typeof record._id, 'number');
    for (const name of fieldNames) {
      if (fields[name].type === 'integer') assert.ok(Number.isSafeInteger(record[name]));
      else assert.equal(typeof record[name], 'string');
    }
    assert.deepEqual(
      Object.keys(record).filter((name) => !members.includes(name)),
      [],
    );
    for (const name of keysOf(record)) assert.doesNotMatch(name, /[$.]/);
    found++;
  }
  assert.equal(found, count);
}
