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
    '12345': 12345,
    '20199999': 20199999,
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

describe('a year in other digits, numerals and calendars', () => {
  check({
    '１９００': 1900,
    '१९४७': 1947,
    '٢٠٠٣م': 2003,
    '1,999': 1999,
    '2\u202f004': 2004,
    "'1987": 1987,
    MMXX: 2020,
    'MDCCLXXXXIX.': 1799,
    'anno M. D. XLIII': 1543,
    XIX: undefined,
    MIX: undefined,
    二〇一一年: 2011,
    昭和五十三年: 1978,
    平成元年3月: 1989,
    'Taishō 4': 1915,
    中華民國75年: 1986,
    'พ.ศ. ๒๕๕๐': 2007,
    '2550 [2007]': 2007,
    '1403 H = 1983': 1983,
    '5743 (1983)': 1983,
    '1362 / 1983': 1983,
    '1403 AH': undefined,
    '1873 [2010]': 1873,
    '1300-1921': 1300,
  });
});

describe('before and after the beginning of the common era', () => {
  check({
    'BC 63': -63,
    '63 f.Kr.': -63,
    '63 a. e. c.': -63,
    公元前221年: -221,
    '-0043-03-15': -43,
    'ca. 420-410 BC': -420,
    'AD 98': 98,
    'A.D. 98': 98,
    '98 e.Kr.': 98,
    '1066 e. Kr.': 1066,
    '98 eKr.': -98,
    '98 jKr.': 98,
    'Kr. u. 98': 98,
    'Kr. e. 98': -98,
    'i. sz. 98': 98,
    '98 apr. J.-C.': 98,
    '98 d.C.': 98,
    '98 n.e.': 98,
    '98 p.n.e.': -98,
    '98 po Kr.': 98,
    '98 pr. Kr.': -98,
    '98 d.Hr.': 98,
    '98 н. э.': 98,
    '98 до н. э.': -98,
    '98 μ.Χ.': 98,
    '98 π.Χ.': -98,
    'MS 98': 98,
    'MÖ 98': -98,
    '98 aC': -98,
    '98 TCN': -98,
    '98 m.ē.': 98,
    '98 p.m.ē.': -98,
    '98 م': 98,
    '98 ق.م': -98,
    公元98年: 98,
    '서기 98년': 98,
    기원전98년: -98,
    '3rd century BC': undefined,
    '17th century': undefined,
    'XVIII век': undefined,
  });
});

describe('the year of a date', () => {
  check({
    '20191025': 2019,
    '201910': 2019,
    '20191025T120000': 2019,
    'Mar-84': 1984,
    '4-Sept-84': 1984,
    '84-Mar': 1984,
    '10/25/84': 1984,
    '10/25/1984': 1984,
    '25.10.84': 1984,
    '84-10-25': 1984,
    '201X': 2010,
    '2010~': 2010,
    '../2010': 2010,
    '2010-21': 2010,
    'vol. 84': undefined,
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
  const texts = ['x', 'soon', '2008.5', '1e3', '0x7d8', 'NaN', '[79]', '12th edition', '3 vols'];
  check(Object.fromEntries([...texts, `1999 ${'x'.repeat(100)}`].map((text) => [text, undefined])));
});
