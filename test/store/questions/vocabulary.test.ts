import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readWords, Vocabulary } from '../../../src/store/questions/vocabulary.ts';
import { bookOf, storedBook } from '../../support/books.ts';
import { lateStore } from '../../support/late-store.ts';

describe('the words of a store', () => {
  test('say whether they are current', async () => {
    const { store, late } = await lateStore(['Zauberlehrling']);
    const vocabulary = new Vocabulary(store);
    late.isLate = true;
    assert.equal((await vocabulary.read()).isCurrent, false);
    late.isLate = false;
    const first = await vocabulary.read();
    assert.deepEqual([first.isCurrent, [...first.words]], [true, ['zauberlehrling']]);
    late.isLate = true;
    assert.equal((await vocabulary.read()).isCurrent, true);
    await store.create(bookOf({ title: 'Emma' }));
    const old = await vocabulary.read();
    assert.deepEqual([old.isCurrent, [...old.words]], [false, ['zauberlehrling']]);
    late.isLate = false;
    assert.deepEqual([...(await vocabulary.read()).words], ['zauberlehrling', 'emma']);
  });

  test('are read until the list is full, at first and after changes', async () => {
    const { store } = await lateStore([]);
    let pages = 0;
    const long = 'x'.repeat(2 ** 20);
    Object.assign(store, {
      async *words() {
        for (;;) yield [`${await Promise.resolve(pages++)}${long}`, 'a'];
      },
    });
    const vocabulary = new Vocabulary(store);
    const { words } = await vocabulary.read();
    assert.equal(pages, 32);
    assert.ok(words.length > 2 ** 25 - 2 ** 21 && words.length <= 2 ** 25);
    await store.create(bookOf({ title: 'y'.repeat(64) }));
    await vocabulary.read();
    assert.ok(words.length <= 2 ** 25);
  });

  test('come page by page, each once, from a store that does not know them', async () => {
    let pages = 0;
    const store = {
      async *iterate() {
        for (;;) yield [storedBook(await Promise.resolve(++pages), { title: `Emma ${'a'.repeat(pages)}` })];
      },
    };
    const read = readWords(store);
    assert.deepEqual((await read.next()).value, ['emma', 'a']);
    assert.deepEqual((await read.next()).value, ['aa']);
    assert.equal(pages, 2);
  });
});
