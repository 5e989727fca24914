import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WordList } from '../../../src/catalogue/word-list.ts';
import { optionsOf, typedWords } from '../../../src/store/questions/correction-options.ts';

test('words are split and joined up to 32 letters; longer ones cost no search of all words', async () => {
  const words = new WordList();
  let searches = 0;
  const has = words.has.bind(words);
  words.has = (word) => {
    searches++;
    return has(word);
  };
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(16)) as [string, string, string];
  words.append([a, b, a + b, `${a}${b}c`, `${b}c`, c]);
  const textsOf = async (q: string) =>
    (await optionsOf(typedWords({ q }, 'q'), words, undefined)).flatMap((options) =>
      options.filter(({ cost }) => cost === 990).map((option) => option.words.map(({ text }) => text)),
    );
  assert.deepEqual(await textsOf(a + b), [[a, b]]);
  assert.deepEqual(await textsOf(`${a} ${b}`), [[a + b]]);
  searches = 0;
  assert.deepEqual(await textsOf(`${a}${b}c`), []);
  assert.deepEqual(await textsOf('x'.repeat(9000)), []);
  assert.deepEqual(await textsOf(`${a} ${b}c`), []);
  assert.ok(searches < 100, String(searches));
});
