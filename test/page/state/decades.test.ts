import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomeBrowser } from '../fake-browser.ts';

becomeBrowser();
const { barsOfDecades, decadeFilter } = await import('../../../src/page/state/decades.ts');

const { changeQuery } = await import('../../../src/page/state/navigation.ts');

const decades = (...starts: number[]) => starts.map((from) => ({ from, count: 1 }));
const labelsOf = (...starts: number[]) => barsOfDecades(decades(...starts), {}).map(({ label }) => label);

describe('the bars of the decades', () => {
  const table: [what: string, starts: number[], labels: string[]][] = [
    ['have the decades without books, too', [1900, 1920], ['1920–1929', '1910–1919', '1900–1909']],
    ['sum up the time before 1900', [-1750, 1810, 1820, 1900], ['1900–1909', 'Before 1900', 'BC']],
    ['have each early decade if all are early', [-1750, 1810], ['1810–1819', '1750–1741 BC']],
    ['skip the way to a far year', [1900, 99_999_999_990], ['99999999990–99999999999', '1900–1909']],
  ];
  for (const [what, starts, labels] of table)
    test(what, () => {
      assert.deepEqual(labelsOf(...starts), labels);
    });

  test('lead to no year outside of the query that is counted', () => {
    const [last] = barsOfDecades(decades(1850), { yearFrom: 1855 });
    assert.deepEqual(last?.query, { yearFrom: 1855, yearTo: 1859 });
    const early = barsOfDecades(decades(1850, 1900), { yearFrom: 1855 }).at(-1);
    assert.deepEqual(early?.query, { yearFrom: 1855, yearTo: 1899 });
  });
});

test('the filter by the decade of a year replaces other filters of years; year 0 means that there is none', () => {
  const other = { year: 1900, yearFrom: 1, yearTo: 2 };
  const filtered = (year: number) => changeQuery(other, decadeFilter(year).query);
  assert.deepEqual(filtered(1815), { yearFrom: 1810, yearTo: 1819 });
  assert.deepEqual(filtered(7), { yearFrom: 1, yearTo: 9 });
  assert.deepEqual(filtered(0), { year: 0 });
  assert.deepEqual(filtered(-1745), { yearFrom: -1750, yearTo: -1741 });
});
