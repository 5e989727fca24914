import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ReadOptions, FileHeader } from '../../src/import/row.ts';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import { marcRecord } from '../support/marc-file.ts';
import { formatFiles } from './files.ts';

async function* inChunks(file: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += size) yield await Promise.resolve(file.subarray(at, at + size));
}

async function read(file: Uint8Array, options: Partial<ReadOptions> & { size?: number } = {}) {
  const books: string[] = [];
  let start: FileHeader | undefined;
  const onStart = (found: FileHeader) => {
    start = found;
  };
  let failure: string | undefined;
  try {
    const rows = readBooks(inChunks(file, options.size ?? 65_536), { chosen: {}, onStart, ...options });
    for await (const row of rows) {
      const { line, unit } = row;
      const content = 'problem' in row ? describeProblem(row.problem) : Object.values(row.fields).join('|');
      books.push(`${unit} ${line}: ${content}`);
    }
  } catch (error) {
    failure = (error as Error).message;
  }
  return { books, failure, start };
}

describe('a file of each format gives the same book', () => {
  for (const { what: name, file: content, format, unit } of formatFiles) {
    const bytes = Buffer.from(content);
    const books = [`${unit}: Größe: B|Andrew Hunt|1999`];
    test(`${name}, also compressed, and byte by byte`, async () => {
      const { start, ...first } = await read(bytes, { format });
      assert.deepEqual(first, { books, failure: undefined });
      assert.deepEqual(Object.keys(start?.mapping ?? {}), ['title', 'author', 'year']);
      for (const [file, size] of [
        [bytes, 1],
        [gzipSync(bytes), 65_536],
        [gzipSync(bytes), 1],
      ] as const) {
        const again = await read(file, { format, size });
        assert.deepEqual([again.books, again.failure], [books, undefined]);
      }
    });

    test(`${name}, compressed and cut off anywhere: said to be cut off`, async () => {
      const compressed = gzipSync(bytes);
      for (let at = 2; at < compressed.length; at++) {
        const { books: some, failure } = await read(compressed.subarray(0, at), { format });
        assert.deepEqual(some, books.slice(0, some.length), String(at));
        assert.match(failure ?? '', /cut off/, String(at));
      }
    });
  }

  test('compressed data that is damaged is refused after the rows before it', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `Title ${i} ${i * 7919},A,${i}\n`);
    const file = gzipSync(`title,author,year\n${rows.join('')}`);
    file.fill(0xff, file.length / 2, file.length / 2 + 100);
    const { books, failure } = await read(file);
    assert.ok(books.length > 1000);
    assert.match(failure ?? '', /the compressed file is damaged|quotes|cut off/);
  });
});

describe('a file with fields of its format', () => {
  test('may be empty only where an export of no books is', async () => {
    assert.equal((await read(Buffer.from(''), { format: 'ris' })).failure, 'the file is empty');
    assert.equal((await read(Buffer.from(''), { format: 'ris', mayBeEmpty: true })).failure, undefined);
  });

  test('has CSL-JSON read by its members only while no column is chosen', async () => {
    const { books } = await read(Buffer.from('[{"type":"book","title":"A","publisher":"B","issued":{}}]'), {
      chosen: { author: 'publisher' },
    });
    assert.deepEqual(books, ['book 1: A|B|0']);
  });

  test('keeps what precedes a cut', async () => {
    const record = marcRecord(['245 10$aEmma']);
    const { books, failure } = await read(Buffer.concat([record, record.subarray(0, 30)]), {
      format: 'marc',
    });
    assert.deepEqual(books, ['record 1: Emma||0']);
    assert.match(
      failure ?? '',
      /^the file is cut off: record 2 ends in the middle; import the whole file with --on-duplicate skip/,
    );
  });
});
