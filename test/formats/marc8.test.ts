import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMarc8Decoder } from '../../src/formats/marc8.ts';

/** @param bytes A character for each. */
const decode = (...bytes: readonly string[]) => {
  const decoder = createMarc8Decoder();
  return (
    bytes.map((part) => decoder(Buffer.from(part, 'latin1'), false)).join('') + decoder(Buffer.alloc(0), true)
  );
};

describe('MARC-8', () => {
  const table: [what: string, bytes: string, text: string][] = [
    ['ASCII', 'Emma', 'Emma'],
    ['marks before their letters', 'Garc\xe2ia, \xeaAngstr\xe8om, \xe9Capek', 'García, Ångström, Čapek'],
    ['two marks of a letter', 'Nguy\xe3\xe4en', 'Nguyễn'],
    ['letters of their own', '\xa1\xa2\xa3\xa5\xb1\xb2\xb5\xb6\xb8\xc7\xc8\xbc\xad', 'ŁØĐÆłøæœıß€ơƯ'],
    ['signs', '\xc3 \xc2 \xc5Qu\xe2e? \xc0C', '© ℗ ¿Qué? °C'],
    ['a mark over two letters', '\xebi\xecu \xfan\xfbg', 'i\u0361u n\u0360g'],
    ['Cyrillic in the lower half', '\x1b(NwOJNA I MIR\x1b(B /', 'Война и мир /'],
    ['extended Cyrillic in the upper half', '\x1b(N\x1b)QkI\xc7W\x1b(B', 'Київ'],
    ['Greek with marks', '\x1b(S"Rojurw\x1b(B', 'Όμηρος'],
    ['Hebrew', '\x1b(2ylem\x1b(B', 'שלום'],
    ['Arabic', '\x1b(3cJGH\x1b(B a', 'كتاب a'],
    ['Arabic digits and extended letters', '\x1b(3\x1b)4\xad12\x1b(B', 'ڂ١٢'],
    ['superscripts, subscripts and Greek symbols', 'x\x1bp2\x1bs H\x1bb2\x1bsO \x1bga\x1bs', 'x² H₂O α'],
    ['the long form of a designation', '\x1b(!E"', 'Ø'],
    ['a character by its number', 'A&#x010D;B &#x1F600; & &#233;', 'AčB 😀 & &#233;'],
    ['marks around an article', '\x88The\x89 end', '\u0098The\u009c end'],
    ['each subfield with the Latin sets', '\x1b(Nk\x1faEmma', 'К\x1faEmma'],
    [
      'what is not read: East Asian, an unknown set, a code without a character',
      '\x1b$1!0A!0B\x1b(B a\x1b(Zb\x1b(B \xff',
      '\ufffd\ufffd a\ufffd \ufffd',
    ],
    ['a mark without a letter', 'a\xe2', 'a\u0301'],
  ];
  for (const [what, bytes, text] of table)
    test(`has ${what}, wherever its chunks end`, () => {
      assert.equal(decode(bytes), text);
      assert.equal(decode(...Array.from(bytes)), text);
    });

  test('takes linear time for many marks', () => {
    assert.equal(decode(`${'\xe2'.repeat(100_000)}e`).length, 100_001);
  });
});
