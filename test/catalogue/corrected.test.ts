import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCorrected, wordsOf } from '../../src/catalogue/corrected.ts';
import type { Correction } from '../../src/catalogue/correction.ts';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import type { BookQuery } from '../../src/catalogue/query.ts';

/** Books by the words that find them; what is asked for is noted. */
function createCatalogue(corrections: readonly Correction[] | Error, found: readonly string[] = ['emma']) {
  const asked: BookQuery[] = [];
  let corrected = 0;
  const reading = {
    read: (query: BookQuery) => {
      asked.push(query);
      return Promise.resolve(found.includes(wordsOf(query)) ? [wordsOf(query)] : []);
    },
    isEmpty: (result: string[]) => result.length === 0,
    correct: () => {
      corrected++;
      return corrections instanceof Error ? Promise.reject(corrections) : Promise.resolve(corrections);
    },
  };
  return { asked, reading, corrections: () => corrected };
}

describe('a query is read', () => {
  test('as it is, if it finds something', async () => {
    const { reading, asked, corrections } = createCatalogue([{ q: 'other' }]);
    const expected = { result: ['emma'], correction: undefined };
    assert.deepEqual(await readCorrected({ q: 'emma' }, reading), expected);
    assert.deepEqual([asked, corrections()], [[{ q: 'emma' }], 0]);
  });

  test('for its best correction, if it finds nothing, with the rest of the query', async () => {
    const { reading, asked } = createCatalogue([{ q: 'emma' }, { q: 'enna' }]);
    const expected = { result: ['emma'], correction: { q: 'emma' } };
    assert.deepEqual(await readCorrected({ q: 'ema', yearFrom: 7 }, reading), expected);
    assert.deepEqual(asked.at(-1), { q: 'emma', yearFrom: 7 });
  });

  test('for a correction of the words of one field, too', async () => {
    const { reading } = createCatalogue([{ titleWords: 'emma' }]);
    const { correction } = await readCorrected({ titleWords: 'ema' }, reading);
    assert.deepEqual(correction, { titleWords: 'emma' });
  });

  const nothing = { result: [], correction: undefined };
  test('without words: nothing is corrected', async () => {
    const { reading, corrections } = createCatalogue([{ q: 'emma' }]);
    assert.deepEqual(await readCorrected({ year: 7 }, reading), nothing);
    assert.equal(corrections(), 0);
  });

  test('with words that have no correction', async () => {
    assert.deepEqual(await readCorrected({ q: 'ema' }, createCatalogue([]).reading), nothing);
  });

  test('with a correction whose books have gone meanwhile', async () => {
    assert.deepEqual(await readCorrected({ q: 'ema' }, createCatalogue([{ q: 'emma' }], []).reading), nothing);
  }); // prettier-ignore

  test('without corrections, while the store cannot make them; other errors are thrown', async () => {
    const busy = createCatalogue(new ShelflistError('unavailable'));
    assert.deepEqual(await readCorrected({ q: 'ema' }, busy.reading), nothing);
    const broken = createCatalogue(new TypeError('broken'));
    await assert.rejects(readCorrected({ q: 'ema' }, broken.reading), { message: 'broken' });
  });
});

test('the words of a query are those of all its members', () => {
  assert.equal(wordsOf({ q: 'a b', authorWords: 'd', titleWords: 'c', title: 'x' }), 'a b c d');
  assert.equal(wordsOf({}), '');
});
