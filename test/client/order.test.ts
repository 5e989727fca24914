import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { collect, connect } from '../support/client.ts';
import { startService } from '../support/service.ts';

test('an iteration by title fails when the order changes between two pages, and begins anew', async (t) => {
  const databaseUrl = `memory:${randomUUID()}`;
  const { url, token } = await startService(t, { databaseUrl, sortArticles: ['the'] });
  const client = connect(t, url, { token });
  await client.createMany(Array.from({ length: 1500 }, (_, i) => ({ title: `${i % 2 ? 'The' : 'A'} ${i}` })));
  const ids = new Set<number>();
  const reading = async () => {
    for await (const { id } of client.iterate({ sort: 'title' })) {
      if (ids.size === 0) {
        const store = await openStore(databaseUrl, { sortArticles: ['a'] });
        await store.close();
      }
      ids.add(id);
    }
  };
  await assert.rejects(reading(), { code: 'invalid_query', message: /cursor is not valid/ });
  assert.equal(ids.size, 1000);
  assert.equal((await collect(client.iterate({ sort: 'title' }))).length, 1500);
});
