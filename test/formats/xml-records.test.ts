import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { XmlRecordParser } from '../../src/formats/xml-records.ts';

function readMods(record: string) {
  const parser = new XmlRecordParser('mods');
  const books = [...parser.push(`<mods>${record}</mods>`), ...parser.end()];
  return books.map((each) => ('fields' in each ? Object.values(each.fields).join('|') : each.problem.code));
}

const title = (text: string) => `<titleInfo><title>${text}</title></titleInfo>`;
const person = (...parts: string[]) =>
  `<name type="personal">${parts.map((part) => `<namePart>${part}</namePart>`).join('')}</name>`;

const records: [what: string, record: string, book: string][] = [
  ['a full stop after a name', title('A') + person('Kavka, Jan.'), 'A|Jan Kavka|0'],
  ['the full stop of an initial', title('A') + person('Kavka, J. B.'), 'A|J. B. Kavka|0'],
  ['life dates after a name', title('A') + person('Kavka, Jan [1848-1914]'), 'A|Jan Kavka|0'],
  ['the same name twice', title('A') + person('Kavka, Jan') + person('Kavka, Jan'), 'A|Jan Kavka|0'],
  [
    'a body with its units',
    `${title('A')}<name type="corporate"><namePart>Prague.</namePart><namePart>City Library.</namePart></name>`,
    'A|Prague. City Library|0',
  ],
  [
    'a colon before the subtitle',
    '<titleInfo><title>A</title><subTitle>: a novel</subTitle></titleInfo>',
    'A: a novel||0',
  ],
  [
    'the years of a series',
    `${title('A')}<originInfo><dateIssued>-1988</dateIssued><dateIssued encoding="marc" point="end">1988</dateIssued><dateIssued encoding="marc" point="start">1985</dateIssued></originInfo>`,
    'A||1985',
  ],
];

describe('a record of MODS has', () => {
  for (const [what, record, book] of records)
    test(what, () => {
      assert.deepEqual(readMods(record), [book]);
    });
});
