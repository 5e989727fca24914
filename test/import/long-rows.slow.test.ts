import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';

describe('a row longer than 16 MiB is refused, and the rest is not read', () => {
  const options = { chosen: {}, onStart: () => undefined };
  const mebibyte = 1024 * 1024;
  const chunk = Buffer.from('a'.repeat(64 * 1024));

  async function refuse(start: string) {
    let bytes = 0;
    async function* source() {
      yield await Promise.resolve(Buffer.from(start));
      for (; bytes < 64 * mebibyte; bytes += chunk.length) yield await Promise.resolve(chunk);
    }
    const rows: string[] = [];
    const reading = (async () => {
      for await (const row of readBooks(source(), options)) {
        rows.push(
          'problem' in row ? describeProblem(row.problem) : `${row.line}: ${row.fields.title}`.slice(0, 40),
        );
      }
    })();
    const error = await reading.then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    return { rows, bytes, error };
  }

  const tooLong = (what: string) =>
    `${what} is longer than 16 MiB: a quote or bracket may be unclosed there; it and all that follows was not read`;
  const noEnd = (line: number) => tooLong(`the row in line ${line}`);
  const table: { what: string; start: string; rows: string[]; message: string }[] = [
    { what: 'CSV, a quote that is not closed', start: 'title\nA\n"', rows: ['2: A'], message: noEnd(3) },
    { what: 'CSV, a long line', start: 'title\nA\n', rows: ['2: A'], message: noEnd(3) },
    {
      what: 'CSV, a quote that is not closed, some lines before',
      start: 'title\nA\n"B\nC\nD\n',
      rows: ['2: A'],
      message: noEnd(3),
    },
    { what: 'NDJSON', start: '{"title":"A"}\n{"title":"', rows: ['1: A'], message: tooLong('line 2') },
    { what: 'JSON', start: '[{"title":"A"},{"title":"', rows: ['1: A'], message: tooLong('book 2') },
  ];
  for (const { what, start, rows, message } of table) {
    test(what, async () => {
      const found = await refuse(start);
      assert.deepEqual([found.rows, found.error?.name, found.error?.message], [rows, 'FileError', message]);
      assert.ok(found.bytes < 20 * mebibyte, `${found.bytes} bytes were read`);
    });
  }
});
