import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { readSuggestions } from '../../../src/store/mongodb/suggest.ts';
import { maxCandidates } from '../../../src/store/questions/sample.ts';
import { openReading, useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

test(
  'suggestions read no other fields for their spelling, and count few values at once',
  { skip },
  async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    // The index has only the start of such a word, so each of these books is checked, and its value counted.
    const long = 'x'.repeat(70);
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => store.create({ ...emma, title: `${long} ${i}` })),
    );
    const { client, reading } = await openReading(t, url, { maxPoolSize: 300 });
    const running = new Set<number>();
    let counted = 0;
    let most = 0;
    const spellings: unknown[] = [];
    client.on('commandStarted', ({ commandName, command, requestId }) => {
      const { filter, projection } = command as { filter?: object; projection?: object };
      if (commandName === 'find' && Object.keys(filter ?? {}).includes('index.title'))
        spellings.push(projection);
      if (commandName !== 'count') return;
      counted++;
      most = Math.max(most, running.add(requestId).size);
    });
    client.on('commandSucceeded', ({ requestId }) => void running.delete(requestId));
    const found = await readSuggestions(reading, 'title', long, 10);
    assert.equal(found.length, 10);
    assert.ok(found.every(({ value, count }) => value.startsWith(long) && count === 1));
    assert.equal(counted, 1 + maxCandidates); // One count tells that the catalogue is small.
    assert.ok(most <= 8, `${most} at once`);
    assert.deepEqual(spellings, Array(10).fill({ _id: 0, title: 1 }));
  },
);
