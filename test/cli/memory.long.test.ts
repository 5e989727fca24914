import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { shell } from '../support/cli.ts';
import { marcRecord } from '../support/marc-file.ts';
import { startStranger } from '../support/session.ts';
import { temporaryFolder } from '../support/temp.ts';
import { sized } from '../support/size.ts';

/** Books of 1,200 bytes: more than the program may hold. */
const count = sized({ short: 27_000, long: 40_000 });
const minBytes = 1150 * count;
/** In the short form, formats whose readers and writers have the least in common. */
const isTested = (format: string) => sized({ short: ['csv', 'json', '--json'].includes(format), long: true });
const title = 'long '.repeat(240);
/** In the place of what writes answers down: nothing but the program is to be in that heap. */
const heapOf = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes}` });
/**
 * A listing needs 16 MB at most. But V8 keeps what was allocated while it marked, which on a busy machine is several pages, and
 * gives up at once if that exceeds its limit.
 */
const listingHeap = heapOf(30);

const cwd = await temporaryFolder({ after });

describe('a file of any length is imported in a heap of 20 MB', () => {
  const book = `{"title":"${title}","author":"A","year":1}`;
  const table: { format: string; head: string; row: string; between: string; foot: string }[] = [
    { format: 'csv', head: 'title,author,year\n', row: `"${title}",A,1\n`, between: '', foot: '' },
    { format: 'json', head: '[', row: book, between: ',\n', foot: ']' },
    { format: 'ndjson', head: '', row: `${book}\n`, between: '', foot: '' },
    {
      format: 'ris',
      head: '',
      row: `TY  - BOOK\nTI  - ${title}\nAU  - A, B\nPY  - 1\nER  - \n`,
      between: '',
      foot: '',
    },
    {
      format: 'bib',
      head: '',
      row: `@book{a, title = {${title}}, author = {A, B}, year = 1}\n`,
      between: '',
      foot: '',
    },
    { format: 'mrc', head: '', row: marcRecord([`245 10$a${title}`]).toString(), between: '', foot: '' },
    {
      format: 'xml',
      head: '<collection>',
      row: `<record><datafield tag="245"><subfield code="a">${title}</subfield></datafield></record>`,
      between: '',
      foot: '</collection>',
    },
  ];
  for (const { format, head, row, between, foot } of table.filter(({ format }) => isTested(format))) {
    test(format, async () => {
      const path = join(cwd, `books.${format}`);
      await writeFile(path, head + Array<string>(count).fill(row).join(between) + foot);
      assert.ok((await stat(path)).size > minBytes);
      const { code, stderr } = await shell(`shelflist import ${path} --dry-run`, { cwd, env: heapOf(20) });
      assert.match(stderr, new RegExp(`\nwould add ${count} books, leave out 0\n$`));
      assert.equal(code, 0);
    });
  }
});

/** Answers `GET /books` with pages of 1,000 books, as a service does. */
function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const after = Number(new URL(url, 'http://localhost').searchParams.get('after') ?? 0);
  const last = after + 1000;
  const books = Array.from({ length: 1000 }, (_, i) => ({ id: after + 1 + i, title, author: 'A', year: 1 }));
  if (last < count) response.setHeader('Link', `</books?after=${last}>; rel="next"`);
  response.end(JSON.stringify({ status: 200, message: 'Books retrieved', data: books }));
}

describe('a list of any length is exported in a heap of 30 MB', () => {
  for (const format of ['csv', 'json', 'ndjson', 'ris', 'bib', 'xml'].filter(isTested)) {
    test(format, async (context) => {
      const { url } = await startStranger(context, answer);
      const file = `out.${format}`;
      const { code, stderr } = await shell(`shelflist export ${file} --url ${url}`, {
        cwd,
        env: { ...listingHeap, SHELFLIST_TOKEN: 'x' },
      });
      assert.match(stderr, new RegExp(`^exported ${count} books to ${file} in `));
      assert.equal(code, 0);
      assert.ok((await stat(join(cwd, file))).size > minBytes);
    });
  }
});

describe('a list of any length is written in a heap of 30 MB', () => {
  for (const options of ['', '--json', '--format ndjson', '--format csv'].filter(isTested)) {
    test(`list ${options}`, async (context) => {
      const { url } = await startStranger(context, answer);
      const { code, stderr } = await shell(`shelflist list ${options} > list`, {
        cwd,
        env: { ...listingHeap, SHELFLIST_URL: url, SHELFLIST_TOKEN: 'x' },
      });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.ok((await stat(join(cwd, 'list'))).size > minBytes);
    });
  }
});
