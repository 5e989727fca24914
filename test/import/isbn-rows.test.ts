import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { FileError, describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import type { ReadOptions } from '../../src/import/row.ts';

const emma = '9780141439587';
const other = '9780804429573';

type LookUp = NonNullable<ReadOptions['lookUp']>;

const lookUp: LookUp = (isbn) =>
  isbn === emma
    ? Promise.resolve({ title: 'Emma', author: 'Jane Austen', year: 2003 })
    : Promise.reject(new ShelflistError('book_not_found'));

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(text: string, options: Partial<ReadOptions> = { lookUp }, size = 1): Promise<string[]> {
  const rows: string[] = [];
  for await (const row of readBooks(inPieces(text, size), { onStart: () => undefined, ...options }))
    rows.push(
      `${row.line}: ${'fields' in row ? Object.values(row.fields).join('|') : describeProblem(row.problem)}`,
    );
  return rows;
}

const found = 'Emma|Jane Austen|2003';
const unknown = `no book is known with the ISBN ${other}`;
const wrong = (text: string) => `it is not an ISBN, or its check digit is wrong: "${text}"`;

describe('a list of ISBNs', () => {
  const table: [what: string, text: string, rows: string[]][] = [
    ['a number', emma, [`1: ${found}`]],
    [
      'several kinds of numbers',
      `${emma}\n0-14-143958-0\r\n080442957x\n`,
      [`1: ${found}`, `2: ${found}`, `3: ${unknown}`],
    ],
    ['empty lines', `\n\n${emma}\r\n\r\n ${emma}\t\r\n`, [`3: ${found}`, `5: ${found}`]],
    ['line ends of old Macs', `${emma}\r${emma}\r`, [`1: ${found}`, `2: ${found}`]],
    ['a heading', `ISBN\n${emma}`, [`2: ${found}`]],
    ['a wrong check digit first', `9780141439588\n${emma}`, [`1: ${wrong('9780141439588')}`, `2: ${found}`]],
    [
      'other lines',
      `${emma}\nEmma\n9770028983002`,
      [`1: ${found}`, `2: ${wrong('Emma')}`, `3: ${wrong('9770028983002')}`],
    ],
  ];
  for (const [what, text, rows] of table)
    test(what, async () => {
      for (const size of [1, 7, 1000]) assert.deepEqual(await read(text, { lookUp }, size), rows);
    });

  test('is not a table with a column of numbers', async () => {
    const never: LookUp = () => Promise.reject(new Error('it is a table'));
    for (const text of [`title,isbn\nEmma,${emma}`, `${emma},title\n1,Emma`, `isbn,title\n${emma},Emma`])
      assert.deepEqual(await read(text, { lookUp: never }), ['2: Emma||0']);
  });

  test('with --year-required, a book without a year is left out', async () => {
    const withoutYear: LookUp = () => Promise.resolve({ title: 'Emma', author: '', year: 0 });
    assert.deepEqual(await read(emma, { lookUp: withoutYear, needsYear: true }), ['1: it has no year']);
  });

  test('keeps its order, and looks few numbers up ahead', async () => {
    let running = 0;
    let most = 0;
    const slow: LookUp = async (isbn, signal) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return lookUp(isbn, signal);
    };
    const text = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? emma : other)).join('\n');
    const rows = await read(text, { lookUp: slow }, 1000);
    assert.deepEqual(
      rows,
      Array.from({ length: 30 }, (_, i) => `${i + 1}: ${i % 3 === 0 ? found : unknown}`),
    );
    assert.ok(most <= 4, `${most}`);
  });

  test('cannot be read where nobody looks books up', async () => {
    const off: LookUp = () => Promise.reject(new ShelflistError('not_found'));
    for (const options of [{}, { lookUp: off }])
      await assert.rejects(
        read(emma, options),
        (error) => error instanceof FileError && error.problem.code === 'noLookup',
      );
  });

  test('asks again after a pause if the source is busy, and ends if it stays so', async () => {
    const busy = () => Promise.reject(new ShelflistError('unavailable', { retryAfter: 0 }));
    let failures = 0;
    const twice: LookUp = (isbn, signal) => (failures++ < 2 ? busy() : lookUp(isbn, signal));
    assert.deepEqual(await read(emma, { lookUp: twice }), [`1: ${found}`]);
    await assert.rejects(read(`${emma}\n${emma}`, { lookUp: busy }), { code: 'unavailable' });
  });
});
