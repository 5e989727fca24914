import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import fc from 'fast-check';
import { fieldsOf, type Book, type BookFields } from '../../../../src/catalogue/book.ts';
import { textFields } from '../../../../src/catalogue/fields.ts';
import { createClient, type Client } from '../../../../src/index.ts';
import { anyBook } from '../../../support/arbitraries.ts';
import { bookOf } from '../../../support/books.ts';
import { startSession, type Session } from '../../../support/session.ts';
import type { Scope } from '../../../support/temp.ts';

/** A client of a session's service, that is logged in. */
async function connect(context: Scope, { folder, service }: Session): Promise<Client> {
  const settings = parse(await readFile(join(folder, '.env')));
  const client = createClient({ url: service.url });
  context.after(() => {
    client.close();
  });
  await client.login(settings.AUTH_USERNAME ?? '', settings.AUTH_PASSWORD ?? '');
  return client;
}

/** What a format, a shell or a parser could take for something of its own. */
const nasty = [
  ...['', ' ', '\t', '\n', '\r', '\r\n', '\u0000', '"', '""', ',', ';', "'", '\\', '\\n', '\\"'],
  ...[' A ', '\nA\n', '\r\nA\r', 'A\rB', '"A"', 'A "B", C', '=1+1', '-', '+1', '@A', '#A', '[', '{', '{}'],
  ...['null', 'begin', 'end', 'whole', 'export', '\u2028', '\u0085', '\u00a0A\u3000', 'e\u0301', 'é', '😀'],
  ...['\u{10ffff}', '\uffff', '\ufffd', '\u007f\u009b', '\u202eA', '__proto__', 'PK\u0003\u0004'],
];
const marked = ['\uFEFF', '\uFEFFA', 'A\uFEFF', '\uFEFF\uFEFF', 'A\uFEFFB'];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.array(fc.constantFrom(...nasty), { maxLength: 6 }).map((parts) => parts.join('')),
);
const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
/** Books with each of some values in each text. */
const booksWith = (values: readonly string[]) =>
  textFields.flatMap((name, i) =>
    values.map((value) => bookOf({ title: 'A', author: 'A', [name]: value, year: i + 1 })),
  );
const isMarked = (book: BookFields) => textFields.some((name) => book[name].includes('\uFEFF'));
const generated = [
  ...booksWith(nasty),
  ...fc.sample(anyBook({ text, integer }), { seed: 20_260_101, numRuns: 300 }),
].filter((book) => !isMarked(book));

describe('an export and an import preserve every character', () => {
  const table: [what: string, books: BookFields[]][] = [
    ['any Unicode text', generated],
    ['byte order marks in a text', booksWith(marked)],
  ];
  const inOrder = (books: readonly (Book | BookFields)[]) =>
    books.map((book) => JSON.stringify(fieldsOf(book))).sort();

  for (const [what, books] of table) {
    test(what, async (t) => {
      const from = await startSession(t);
      const client = await connect(t, from);
      await client.createMany(books);
      for (const file of ['x.csv', 'x.json', 'x.ndjson']) {
        for (const options of [[], ['--with-ids', '--bom', '--force']]) {
          const out = await from.run(['export', file, ...options]);
          assert.equal(out.code, 0, out.stderr);
        }
        const to = await startSession(t);
        const back = await to.run(['import', join(from.folder, file)]);
        assert.equal(back.code, 0, back.stderr);
        const copied = await (await connect(t, to)).list();
        assert.deepEqual(inOrder(copied), inOrder(books), file);
        await to.service.stop();
      }
    });
  }
});
