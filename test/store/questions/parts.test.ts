import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WordList } from '../../../src/catalogue/word-list.ts';
import { nameParts, toParts } from '../../../src/store/questions/parts.ts';
import { storedBook } from '../../support/books.ts';

/** A catalogue of words, all of which begin a word of some book or none; counts what it is asked. */
function openLexicon(all: readonly string[], found = 0) {
  const list = new WordList();
  list.append(all);
  const asked = { containing: 0, find: 0 };
  const containing = list.containing.bind(list);
  list.containing = (...args) => {
    asked.containing++;
    return containing(...args);
  };
  return {
    asked,
    words: () => Promise.resolve(list),
    find: () => {
      asked.find++;
      return Promise.resolve(found > 0 ? [storedBook(1)] : []);
    },
  };
}

test('each different word is looked for once, in whatever members it is', async () => {
  const lexicon = openLexicon(['zauberlehrling']);
  const parts = await toParts(
    { q: 'lehrling '.repeat(900), titleWords: 'Lehrling lehrling', authorWords: 'lehrling' },
    lexicon,
  );
  assert.deepEqual(Object.keys(parts?.parts ?? {}).sort(), ['authorWords', 'q', 'titleWords']);
  assert.deepEqual(lexicon.asked, { containing: 1, find: 0 });
});

test('up to eight different words are looked for', async () => {
  const words = Array.from('abcdefghi', (letter) => letter.repeat(3));
  const lexicon = openLexicon(words.map((word) => `x${word}`));
  assert.notEqual(await toParts({ q: words.slice(1).join(' ') }, lexicon), undefined);
  lexicon.asked.containing = 0;
  assert.equal(await toParts({ q: words.slice(2).join(' '), titleWords: 'aaa bbb' }, lexicon), undefined);
  assert.equal(lexicon.asked.containing, 0);
});

test('a store is asked whether a word begins one only if another word contains it', async () => {
  const lexicon = openLexicon(['lehrling', 'lehrlinge', 'zauberer'], 1);
  assert.equal(await toParts({ q: 'lehrling zauber' }, lexicon), undefined);
  assert.equal(lexicon.asked.find, 0);
  const other = openLexicon(['lehrling', 'zauberlehrling'], 1);
  assert.equal(await toParts({ q: 'lehrling' }, other), undefined);
  assert.equal(other.asked.find, 1);
});

test('parts have one name in any order of the typed words, and another with other words', async () => {
  const some = openLexicon(['xabc', 'xdef']);
  const more = openLexicon(['xabc', 'xdef', 'yabc']);
  const name = async (q: string, lexicon: typeof some) => nameParts((await toParts({ q }, lexicon)) ?? {});
  assert.equal(await name('abc def', some), await name('def ABC abc', some));
  assert.notEqual(await name('abc def', some), await name('abc def', more));
  assert.notEqual(await name('abc', some), await name('abc def', some));
});
