import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { Edit, findSpellings, readAsShown } from '../../src/client/edits.ts';
import type { Client } from '../../src/index.ts';
import { collect, connect } from '../support/client.ts';
import { startService } from '../support/service.ts';

const maxInFlight = 4;

/** A client of a service with books, numbered from 1, by these authors. */
async function start(t: TestContext, ...authors: string[]): Promise<Client> {
  const { url, token } = await startService(t);
  const client = connect(t, url, { token });
  await client.createMany(authors.map((author, i) => ({ title: `Book ${i + 1}`, author, year: 1900 })));
  return client;
}

const authorsOf = async (client: Client) => (await client.list()).map(({ author }) => author);
const reject = (code: 'forbidden' | 'book_not_found' | 'unreachable') => () =>
  Promise.reject(new ShelflistError(code));

describe('an edit', () => {
  test('changes books and ids in one batch; skips who has changed since, and who is gone', async (t) => {
    const client = await start(t, 'a', 'b', 'c', 'd');
    const [first, second, third] = await client.list();
    assert.ok(first && second && third);
    await client.update(2, { year: 1901 });
    await client.delete(3);
    const edit = new Edit(client, { maxInFlight: 1 });
    assert.equal(edit.hasChanged, false);
    await edit.change([first, second, third, 4, 99], { author: 'x' });
    assert.deepEqual([edit.done, edit.skipped, edit.hasChanged], [[1, 4], [2, 3, 99], true]);
    assert.deepEqual(await authorsOf(client), ['x', 'b', 'x']);
    assert.equal((await client.undo(edit.batch)).undone, 2);
    assert.deepEqual(await authorsOf(client), ['a', 'b', 'd']);
  });

  test('does not overwrite a change between its reading and its writing', async (t) => {
    const client = await start(t, 'a');
    const [book] = await client.list();
    assert.ok(book);
    const edit = new Edit(
      {
        ...client,
        async getTagged(id) {
          const tagged = await client.getTagged(id);
          await client.update(id, { year: 2000 });
          return tagged;
        },
      },
      { maxInFlight },
    );
    await edit.change([book], { author: 'x' });
    assert.deepEqual([edit.done, edit.skipped, await authorsOf(client)], [[], [1], ['a']]);
  });

  test('deletes books in one batch; a delete that fails although the book exists is a failure', async (t) => {
    const client = await start(t, 'a', 'b');
    const edit = new Edit(client, { maxInFlight });
    await edit.delete([1]);
    const failing = new Edit({ ...client, delete: reject('book_not_found') }, { maxInFlight: 1 });
    await assert.rejects(failing.delete([99, 2]), { code: 'unavailable' });
    assert.deepEqual([edit.done, failing.done, failing.skipped], [[1], [], [99]]);
    await client.undo(edit.batch);
    assert.deepEqual(await authorsOf(client), ['a', 'b']);
  });

  test('deletes no book that is not as it was read; of an id, whatever book it is', async (t) => {
    const client = await start(t, 'a', 'b', 'c', 'd');
    const [first, second, third] = await client.list();
    assert.ok(first && second && third);
    await client.update(2, { year: 1901 });
    await client.update(4, { year: 1901 });
    await client.delete(3);
    const edit = new Edit(client, { maxInFlight: 1 });
    await edit.delete([first, second, third, 4]);
    assert.deepEqual(
      [edit.done, edit.skipped],
      [
        [1, 4],
        [2, 3],
      ],
    );
    const late = new Edit(
      {
        ...client,
        async getTagged(id) {
          const tagged = await client.getTagged(id);
          await client.update(id, { year: 2000 });
          return tagged;
        },
      },
      { maxInFlight },
    );
    await late.delete(await client.list());
    assert.deepEqual([late.skipped, await authorsOf(client)], [[2], ['b']]);
  });

  test('gives books earlier states in one batch; skips one that others have changed', async (t) => {
    const client = await start(t, 'a', 'b');
    const states = [];
    for (const id of [1, 2]) {
      await client.update(id, { author: 'x' });
      const [state] = await client.history(id);
      const { tag } = await client.getTagged(id);
      states.push({ id, version: state?.version ?? '', condition: { ifMatch: tag } });
    }
    await client.update(2, { author: 'y' });
    const edit = new Edit(client, { maxInFlight });
    const reverted = await edit.revert(states);
    assert.deepEqual(reverted, [{ id: 1, title: 'Book 1', author: 'a', year: 1900 }]);
    assert.deepEqual([edit.done, edit.skipped], [[1], [2]]);
    await client.undo(edit.batch);
    assert.deepEqual(await authorsOf(client), ['x', 'y']);
  });

  test('has at most so many requests in flight, and reports its progress', async (t) => {
    const client = await start(t);
    const progress: number[] = [];
    let [now, most] = [0, 0];
    const edit = new Edit(
      {
        ...client,
        async delete() {
          most = Math.max(most, ++now);
          await new Promise(setImmediate);
          now--;
        },
      },
      { maxInFlight, onProgress: ({ done }) => progress.push(done.length) },
    );
    const ids = Array.from({ length: 11 }, (_, i) => i + 1);
    await edit.delete(ids);
    assert.deepEqual([most, progress], [maxInFlight, ids]);
  });

  test('ends at any other failure, and says whether a book may have changed', async (t) => {
    const client = await start(t);
    for (const [code, hasChanged] of [
      ['forbidden', false],
      ['unreachable', 'perhaps'],
    ] as const) {
      const edit = new Edit({ ...client, delete: reject(code) }, { maxInFlight: 1 });
      await assert.rejects(edit.delete([1, 2, 3]), { code });
      assert.deepEqual([edit.done, edit.hasChanged], [[], hasChanged]);
    }
  });

  test('ends when it is aborted, after the writes in flight', async (t) => {
    const client = await start(t);
    const abort = new AbortController();
    const onDelete = (id: number) => {
      if (id === 2) abort.abort();
      return Promise.resolve();
    };
    const edit = new Edit({ ...client, delete: onDelete }, { maxInFlight });
    await assert.rejects(edit.delete([1, 2, 3, 4, 5, 6, 7, 8], abort.signal), { name: 'AbortError' });
    assert.ok(edit.done.length >= 2 && edit.done.length <= maxInFlight, `${edit.done.length} books`);
  });
});

describe('a merge', () => {
  test('deletes the other books, unless one has changed since it was shown', async (t) => {
    const client = await start(t, 'a', 'a', 'a', 'a');
    const shown = await client.list();
    await client.update(4, { year: 2000 });
    await assert.rejects(readAsShown(client, shown), {
      code: 'precondition_failed',
      message: 'book 4 has changed; nothing was deleted',
    });
    const [, ...others] = await readAsShown(client, shown.slice(0, 3));
    await client.update(3, { year: 2000 });
    const edit = new Edit(client, { maxInFlight });
    await assert.rejects(edit.merge(others), {
      code: 'precondition_failed',
      message: 'book 3 has changed; it was not deleted',
    });
    assert.deepEqual(edit.done, [2]);
    await assert.rejects(readAsShown(client, shown), { code: 'book_not_found' });
    assert.equal((await client.undo(edit.batch)).undone, 1);
    assert.equal((await collect(client.iterate())).length, 4);
  });
});

test('the books with other spellings of an author are found once, without those that have the one to keep', async (t) => {
  const client = await start(t, 'Jane Austen', 'Austen, Jane', 'JANE AUSTEN', 'Homer');
  const { books, unknown } = await findSpellings(client, 'Jane Austen', [
    'austen, jane',
    'JANE AUSTEN',
    'Jane Austen',
    'Nobody',
  ]);
  assert.deepEqual(
    books.map(({ id }) => id),
    [2, 3],
  );
  assert.deepEqual(unknown, ['Nobody']);
});
