import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';

async function read(file: string, size: number) {
  async function* pieces() {
    const bytes = Buffer.from(file);
    for (let at = 0; at < bytes.length; at += size)
      yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const rows: string[] = [];
  try {
    for await (const row of readBooks(pieces(), { onStart: () => undefined }))
      rows.push(
        `${row.line}: ${'problem' in row ? describeProblem(row.problem) : Object.values(row.fields).join('|')}`,
      );
  } catch (error) {
    rows.push((error as Error).message);
  }
  return rows;
}

const a = { title: 'A', author: 'B' };
const c = { title: 'C', author: 'D' };
const dataCite = {
  creators: [{ name: 'B' }],
  titles: [{ title: 'A' }, { title: 'a' }],
  publicationYear: 2001,
};
const [rowA, rowC] = ['1: A|B|0', '2: C|D|0'];

/** The objects of a file, one a line, with its rows. */
const files: [what: string, objects: object[], rows: string[]][] = [
  ['a list below a name and a date', [{ name: 'My books', date: '2026-01-01', books: [a] }], [rowA]],
  ['a list below a title and a date', [{ title: 'My books', date: '2026-01-01', items: [a] }], [rowA]],
  ['a list named books below a title and an author', [{ title: 'Shelf', author: 'Ann', books: [a] }], [rowA]],
  ['titles below a name', [{ name: 'Shelf', list: [{ title: 'A' }] }], ['1: A||0']],
  ['people before the books', [{ people: [{ name: 'B', date: '1775' }], all: [a] }], [rowA]],
  ['a book with people', [{ ...a, people: [{ name: 'B', date: '1775' }] }], [rowA]],
  ['a book with chapters', [{ title: 'A', year: 1, chapters: [{ title: 'I' }] }], ['1: A||1']],
  ['a book with similar ones', [{ ...a, similar: [c] }], [rowA]],
  ['a book with other titles and settings', [{ ...dataCite, view: { font: { name: 'x' } } }], ['1: A|B|2001']],
  ['books with volumes, one a line', [{ title: 'A', books: [c] }, c], ['1: A||0', rowC]],
  ['several lists', [{ reading: [a], more: 1, read: [c] }], [rowA, rowC]],
  ['a list in another object', [{ reading: { list: [a] }, read: { list: [c] } }], [rowA, rowC]],
  ['several objects with a book per member', [{ one: { x: a }, two: { y: c } }], [rowA, rowC]],
  ['a list of tags after the books', [{ books: [a], tags: [{ name: 'x' }], by: { title: 'x' } }], [rowA]],
  ['a long member between the lists', [{ reading: [a], x: 'x'.repeat(50_000), read: [c] }], [rowA, rowC]],
  ['lists that tell books less well', [{ novels: [a], without: [{ title: 'A', year: 1 }], more: [{ title: 'E' }] }], [rowA, '2: A||1', '3: E||0']],
  ['a list beside an object of books', [{ novels: [a], others: { x: c } }], [rowA, rowC]],
  ['people after the books', [{ all: [a], users: [{ name: 'x', date: '1775' }], tags: ['x'], by: 'x' }], [rowA]],
  ['shelves with a name', [{ shelves: [{ name: 'S', books: [a] }, { name: 'T', books: [] }, { name: 'U', list: [c] }] }], [rowA, rowC]],
  ['shelves with a title', [{ shelves: [{ title: 'S', books: [a] }, { title: 'T', books: [c] }] }], [rowA, rowC]],
  ['a list of books, one with similar ones', [{ all: [{ title: 'A', similar: [c] }, { name: 'E', parts: [{ title: 'I' }] }] }], ['1: A||0', '2: E||0']],
  ['more than a record may have between two lists', [{ reading: [a], x: Array.from({ length: 20_000 }, (_, i) => ({ i })), read: [c] }], [rowA, rowC]],
  [
    'lists in several lines',
    [{ data: [a] }, { data: [c] }],
    [rowA, 'the file is not valid JSON after book 1; the rest of it was not read'],
  ],
]; // prettier-ignore

describe('the lists of books within a JSON object are read', () => {
  for (const [what, objects, rows] of files)
    test(what, async () => {
      const file = `${objects.map((each) => JSON.stringify(each)).join('\n')}\n`;
      for (const size of [61, 65_536]) assert.deepEqual(await read(file, size), rows, String(size));
      const [only, ...others] = objects;
      if (others.length > 0) return;
      for (const size of [61, 65_536])
        assert.deepEqual(await read(JSON.stringify(only, null, 2), size), rows, `laid out, ${String(size)}`);
    });
});

describe('the lists of books within a JSON text', () => {
  const [textA, textC] = [JSON.stringify(a), JSON.stringify(c)];
  const long = 'x'.repeat(200_000);
  const texts: [what: string, text: string, rows: string[]][] = [
    ['an escape in a name', `{"Crime":[${textA}],"B\\u00fccher\\/Romane":[${textC}]}`, [rowA, rowC]],
    ['numbers as names', `{"2019":[${textA}],"2018":[${textC}]}`, [rowA, rowC]],
    ['numbers as names of books', `{"9":${textA},"8":${textC}}`, [rowA, rowC]],
    ['a name twice', `{"books":[${textA}],"books":[${textC}]}`, [rowA, rowC]],
    ['a long text between them', `{"a":[${textA}],"x":"${long}","b":[${textC}]}`, [rowA, rowC]],
    ['a long list', `{"a":[${`${textA},`.repeat(3000)}${textC}]}`, [...Array.from({ length: 3000 }, (_, i) => `${String(i + 1)}: A|B|0`), '3001: C|D|0']],
    ['a long book', `{"a":[${textA},{"title":"C","x":"${long}","author":"D"}]}`, [rowA, rowC]],
    ['shelves in an array, one of them long', `[{"name":"S","x":[],"books":[${textA}]},{"name":"T","books":[${textC},{"title":"E","x":"${long}"}]}]`, [rowA, rowC, '3: E||0']],
  ]; // prettier-ignore
  for (const [what, text, rows] of texts)
    test(what, async () => {
      for (const size of [4093, 1_000_000]) assert.deepEqual(await read(text, size), rows, String(size));
    });
  test('thousands take linear time', async () => {
    const lists = Array.from({ length: 20_000 }, (_, i) => `"Author ${String(i)}":[${textA}]`);
    assert.equal((await read(`{${lists.join()}}`, 65_536)).length, 20_000);
  });
  for (const end of [']', ',"c":', ',"c":[{"title":"C","author":"D"', ',"c":[{"title":"C"},', ',"c":{"x":"'])
    test(`cut off after ${end}`, async () => {
      const rows = await read(`{"b":[${textA}]${end === ']' ? '' : end}`, 65_536);
      assert.equal(rows[0], rowA);
      assert.match(rows.at(-1) ?? '', /^the file is cut off: /);
    });
});

test('a second list that is cut off says after which book', async () => {
  const file = JSON.stringify({ reading: [a], read: [c, a] }).slice(0, -6);
  assert.deepEqual((await read(file, 65_536)).slice(0, 2), [rowA, rowC]);
  assert.match((await read(file, 65_536))[2] ?? '', /its array does not end after book 2; /);
});

describe('objects one after the other', () => {
  const laidOut = (...objects: object[]) => objects.map((each) => JSON.stringify(each, null, 2)).join('\n');
  const files: [what: string, file: string, rows: string[]][] = [
    ['in several lines each', laidOut(a, { ...c, tags: [{ name: 'x' }] }), ['1: A|B|0', '5: C|D|0']],
    ['with a comma after each', `${JSON.stringify(a)},\n${JSON.stringify(c)},\n`, [rowA, rowC]],
    ['in several lines, one of them damaged', `{\n  "title": ,\n}\n${laidOut(c)}`, ['1: it is not JSON', '4: C|D|0']],
    ['in several lines, one without its end', `{\n  "title": "A",\n${laidOut(c)}`, ['1: it is not JSON', '3: C|D|0']],
    ['of MARC', laidOut({ leader: '00000nam a2200000   4500', fields: [{ 245: { subfields: [{ a: 'A' }] } }] }), ['1: A||0']],
  ]; // prettier-ignore
  for (const [what, file, rows] of files)
    test(what, async () => {
      for (const size of [7, 65_536]) assert.deepEqual(await read(file, size), rows, String(size));
    });
  test('in several lines, the last cut off', async () => {
    const [row, error] = await read(laidOut(a, c).slice(0, -5), 65_536);
    assert.equal(row, '1: A|B|0');
    assert.match(error ?? '', /^the file is cut off: line 5 /);
  });
});
