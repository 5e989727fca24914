import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseLibraryYear } from '../../src/formats/year.ts';

function check(table: Readonly<Record<string, number | undefined>>): void {
  for (const [text, year] of Object.entries(table)) {
    test(JSON.stringify(text), () => {
      assert.equal(parseLibraryYear(text), year);
      assert.equal(parseLibraryYear(` ${text}\t`), year);
    });
  }
}

describe('a whole number is a year, exactly', () => {
  check({
    '2008': 2008,
    '2008.0': 2008,
    '-1750.0': -1750,
    '+5': 5,
    '-0': 0,
    '868': 868,
    '20191025': 20191025,
    '9007199254740991': 9007199254740991,
    '9007199254740992': undefined,
  });
});

describe('a year as libraries write it', () => {
  check({
    '[1979]': 1979,
    '[1979?]': 1979,
    '[19]79': 1979,
    '(1979)': 1979,
    c1900: 1900,
    '©1999': 1999,
    '℗ 1999': 1999,
    p1999: 1999,
    'cop. 1999': 1999,
    'c. 1850': 1850,
    'ca. 1880': 1880,
    'ca. 868': 868,
    'um 1850': 1850,
    'около 1880 г.': 1880,
    '1999?': 1999,
    '1999-': 1999,
    '1979-80': 1979,
    '1979–1980': 1979,
    '1979/80': 1979,
    '2001, c1999': 2001,
    '1999 [i.e. 1998]': 1998,
    '[between 1999 and 2001]': 1999,
    '197-': 1970,
    '[197-?]': 1970,
    '1970s': 1970,
    '44 BC': -44,
    '1750 BCE': -1750,
    'ca. 750 v. Chr.': -750,
    '44 до н. э.': -44,
    '868 n. Chr.': 868,
  });
});

describe('the year of a date', () => {
  check({
    '2019/10/25': 2019,
    '2019-10-25': 2019,
    '2019-10': 2019,
    '2019.10': 2019,
    '25.10.2019': 2019,
    '10.2019': 2019,
    '10/25/2019': 2019,
    'May 2001': 2001,
    '1 May 2001': 2001,
    'May 1, 2001': 2001,
    'мая 2001 г.': 2001,
    'Tue May 01 00:00:00 CEST 2001': 2001,
    '1813-01-28T00:00:00+00:00': 1813,
  });
});

describe('no year', () => {
  const texts = [
    '',
    '-',
    '?',
    '[?]',
    'n.d.',
    '[n.d.]',
    's.a.',
    's. a.',
    'o.J.',
    'o. J.',
    'б.г.',
    'б. г.',
    's.d.',
    'u.å.',
  ];
  const words = [
    'undated',
    'Unknown',
    'no date',
    'ohne Jahr',
    '[publication date not identified]',
    '19--',
    '[19--?]',
  ];
  const dates = ['0000', '0000-00-00', '0101-01-01T00:00:00+00:00'];
  check(Object.fromEntries([...texts, ...words, ...dates].map((text) => [text, 0])));
});

describe('a text that is not understood', () => {
  const texts = [
    'x',
    'soon',
    '2008.5',
    '1,999',
    '1e3',
    '0x7d8',
    '１９００',
    'NaN',
    '10/25/19',
    '[79]',
    '12th edition',
    '3 vols',
  ];
  check(Object.fromEntries([...texts, 'MMXX', `1999 ${'x'.repeat(100)}`].map((text) => [text, undefined])));
});
