import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ShelflistError, type Book, type Client } from '../../src/index.ts';
import { connect } from '../support/client.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { embeddedStore, startService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';
import { sized } from '../support/size.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const rows = sized({ short: 2000, long: 10_000 });

/** Lists the books. On a busy machine MongoDB may be too slow after so many writes, and says when to try again. */
async function listBooks(client: Client): Promise<Book[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.list();
    } catch (error) {
      if (!(error instanceof ShelflistError) || error.code !== 'unavailable' || attempt === 10) throw error;
    }
  }
}

describe(`an import of ${rows} rows among other books is undone exactly`, () => {
  const stores: [name: string, config: (scope: Scope) => Promise<object>, skip?: string | false][] = [
    ['file:', embeddedStore],
    ['memory:', () => Promise.resolve({ databaseUrl: 'memory:' })],
    [
      'MongoDB',
      () => Promise.resolve({ databaseUrl: newDatabaseUrl(mongod) }),
      'skip' in mongod && mongod.skip,
    ],
  ];
  for (const [name, config, skip = false] of stores)
    test(name, { skip }, async (t) => {
      const { url, token, log } = await startService(t, await config(t));
      t.after(() => {
        for (const line of log.slice(0, 5)) t.diagnostic(line);
      });
      const client = connect(t, url, { token });
      const before = await client.createMany(
        Array.from({ length: 500 }, (_, year) => ({ title: 'old', year })),
      );
      const books = await listBooks(client);
      // The import and another writer take ids in turn.
      const batch = 'the-import';
      const others: Promise<Book>[] = [];
      for (let start = 0; start < rows; start += 1000) {
        const some = Array.from({ length: 1000 }, (_, i) => ({ title: `row ${start + i}`, year: i }));
        const imported = client.createMany(some, { batch });
        others.push(...Array.from({ length: 5 }, () => client.create({ title: 'other' })));
        await imported;
      }
      for (const id of before.ids.slice(0, 100))
        await client.update(id, { title: 'by the import' }, { batch });
      const kept = [...books, ...(await Promise.all(others))].sort((a, b) => a.id - b.id);
      const whole = await listBooks(client);
      assert.equal(whole.length, kept.length + rows);
      const result = await client.undo(batch);
      assert.deepEqual([result.undone, result.left], [rows + 100, []]);
      assert.equal((await client.batch(batch)).undoable, false);
      assert.deepEqual(await listBooks(client), kept);
      await client.undo(result.batch ?? '');
      assert.deepEqual(await listBooks(client), whole);
    });
});
