import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { baseLetters, foldText, foldWords } from '../../src/catalogue/fold.ts';
import { onlyLong, sized } from '../support/size.ts';

/** What folding is defined as. Takes quadratic time for a run of marks. */
function foldWordsByDefinition(text: string): string[] {
  // An acute accent between letters is typed for an apostrophe. NFKD makes a space of it.
  const bare = text
    .replace(/[´\u1ffd]/g, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  const folded = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const plain = folded.replace(/\p{Script=Latin}/gu, (each) => baseLetters.get(each) ?? each);
  const joined = plain
    .replace(/[`·ʹʺʻʼʽʾʿˊˋˮ՚׳‘’‛′‵ꞌ]/g, "'")
    .replace(/(?<=[\p{L}\p{Nd}])'(?=[\p{L}\p{Nd}])/gu, '');
  return joined.match(/[\p{L}\p{Nd}]+/gu) ?? [];
}

function* codePoints(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++)
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

function* chunks<T>(all: Iterable<T>, length: number): Generator<T[]> {
  const chunk: T[] = [];
  for (const each of all) {
    chunk.push(each);
    if (chunk.length === length) yield chunk.splice(0);
  }
  yield chunk;
}

/** Characters whose decomposition depends on what is beside them, and some whose own has marks in it. */
const sensitive = [
  ...[
    'a',
    'é',
    'ệ',
    'e',
    'Å',
    '\u212b',
    'ς',
    'Σ',
    'İ',
    'ı',
    'ﬃ',
    'ﷺ',
    '\u1f82',
    '\u00b4',
    '\u037a',
    '\u1fed',
  ],
  ...[
    '\u0301',
    '\u0316',
    '\u0334',
    '\u0345',
    '\u0344',
    '\u0340',
    '\u0f77',
    '\u0f73',
    '\u093c',
    '\u20dd',
    '\u034f',
  ],
  ...['\u1100', '\u1161', '\u11a8', '\uac00', '\uac01', 'か', 'が', '\u3099', '\uff76', '\uff9e', '\uff9f'],
  ...[
    '\u0958',
    '\u0915',
    '\u0e33',
    '\u0e4d',
    '\u0eb3',
    '\ufb1d',
    '\u2adc',
    '\u{1d15e}',
    '\u{1d165}',
    '\u{11099}',
  ],
  ...[
    '\u0cc0',
    '\u09cb',
    '\u09be',
    '\u09c7',
    '\u{1133c}',
    '\u{16121}',
    '\ud800',
    '\udc00',
    '-',
    ' ',
    '1',
    '\u200d',
  ],
];

describe('marks removed before NFKD change no word', () => {
  test(
    'of any code point, alone, before and after a letter, and among marks of other classes',
    { skip: onlyLong },
    () => {
      for (const some of chunks(codePoints(), 64)) {
        const texts = some.map((each) => `${each} a${each}b e\u0345${each}\u0334\u0301x${each}`);
        const text = texts.join(' ');
        const folded = foldText(text);
        if (folded !== foldWordsByDefinition(text).join(' ')) assert.fail(JSON.stringify(text));
        if (folded !== foldText(folded)) assert.fail(`not idempotent: ${JSON.stringify(text)}`);
      }
    },
  );

  test('of characters that NFKD reorders or takes apart, in any order', () => {
    const unit = fc.oneof(fc.constantFrom(...sensitive), fc.string({ unit: 'binary', maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join('');
        assert.deepEqual(foldWords(text), foldWordsByDefinition(text));
      }),
      { numRuns: sized({ short: 5000, long: 20_000 }) },
    );
  });

  test('leave NFKD nothing to reorder but the two kana sound marks', () => {
    const moved: string[] = [];
    for (const each of codePoints())
      if (!/\p{M}/u.test(each) && !`\u0345${each}`.normalize('NFKD').startsWith('\u0345')) moved.push(each);
    assert.deepEqual(moved, ['\uff9e', '\uff9f']);
  });
});
