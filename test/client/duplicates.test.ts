import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ShelflistError } from '../../src/index.ts';
import type { DuplicatesQuery } from '../../src/client/index.ts';
import { connect } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';

const scope = { after };
const { url, token } = await startService(scope, { databaseUrl: 'memory:' });
const client = connect(scope, url, { token });
const titles = ['Emma', 'Persuasion', 'EMMA', 'Persuasion!', 'Persuassion'];
for (const title of titles) await client.create({ title });

const idsOf = (groups: { id: number }[][]) => groups.map((group) => group.map(({ id }) => id));

describe('duplicates', () => {
  test('returns all groups of the level `same` by default', async () => {
    const page = await client.duplicates();
    assert.deepEqual(page.items[0]?.[1], { id: 3, title: 'EMMA', author: '', year: 0 });
    assert.deepEqual(idsOf(page.items), [
      [1, 3],
      [2, 4],
    ]);
    assert.equal(page.next, undefined);
  });

  test('returns pages', async () => {
    const first = await client.duplicates({ level: 'typo', limit: 1 });
    assert.deepEqual(idsOf(first.items), [[1, 3]]);
    const second = await client.duplicates({ level: 'typo', limit: 1, after: first.next ?? '' });
    assert.deepEqual(idsOf(second.items), [[2, 4, 5]]);
    assert.equal(second.next, undefined);
  });

  const invalid: [what: string, query: unknown][] = [
    ['no object', 'typo'],
    ['an unknown member', { q: 'emma' }],
    ['a level of the wrong type', { level: 1 }],
    ['a limit of the wrong type', { limit: '1' }],
  ];
  for (const [what, query] of invalid) {
    test(`${what} is a TypeError`, async () => {
      await assert.rejects(client.duplicates(query as DuplicatesQuery), TypeError);
    });
  }

  test('an unknown level is refused by the service', async () => {
    await assert.rejects(
      client.duplicates({ level: 'all' } as unknown as DuplicatesQuery),
      (error) => error instanceof ShelflistError && error.code === 'invalid_query',
    );
  });

  test('a response that has no groups of books is a bad response', async (t) => {
    for (const data of [null, {}, [{ id: 1 }], [[{ id: 1 }]]]) {
      const stranger = await startStranger(t, (_, response) => {
        response.end(JSON.stringify({ status: 200, message: 'OK', data }));
      });
      await assert.rejects(
        connect(t, stranger.url, { token }).duplicates(),
        (error) => error instanceof ShelflistError && error.code === 'bad_response',
      );
    }
  });
});
