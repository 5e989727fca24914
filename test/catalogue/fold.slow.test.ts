import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { foldText } from '../../src/catalogue/fold.ts';
import { onlyLong, sized } from '../support/size.ts';

/** Asserts that folding takes no notice of how a text is composed, and changes no folded text. */
function assertStable(text: string): void {
  const folded = foldText(text);
  const what = JSON.stringify(text);
  assert.equal(foldText(folded), folded, what);
  for (const form of ['NFC', 'NFD']) assert.equal(foldText(text.normalize(form)), folded, what);
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

describe('folding', () => {
  test(
    'is stable for any code point, alone, before and after a letter, and among marks of other classes',
    { skip: onlyLong },
    () => {
      for (const some of chunks(codePoints(), 64)) {
        const texts = some.map((each) => `${each} a${each}b e\u0345${each}\u0334\u0301x${each}`);
        assertStable(texts.join(' '));
      }
    },
  );

  test('is stable for characters that NFKD reorders or takes apart, in any order', () => {
    const unit = fc.oneof(fc.constantFrom(...sensitive), fc.string({ unit: 'binary', maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        assertStable(units.join(''));
      }),
      { numRuns: sized({ short: 5000, long: 20_000 }) },
    );
  });

  test('leaves NFKD no marks to reorder but the two of kana sounds, and those that are letters', () => {
    const moved: string[] = [];
    for (const each of codePoints())
      if (!/\p{M}/u.test(each) && !`\u0345${each}`.normalize('NFKD').startsWith('\u0345')) moved.push(each);
    assert.deepEqual(moved, ['\uff9e', '\uff9f']);
  });
});
