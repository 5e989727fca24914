import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, beforeEach, describe, test } from 'node:test';
import { parse } from 'dotenv';
import fc from 'fast-check';
import type { Book, BookFields } from '../../../src/book.ts';
import { createClient, type Client } from '../../../src/index.ts';
import { program } from '../../support/cli.ts';
import { startSession, startStranger, type Session } from '../../support/session.ts';
import type { Scope } from '../../support/temp.ts';

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

/** What exports left in a folder: files, and drafts of files. */
async function exported(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^x\b/.test(name) || name.endsWith('.tmp')).sort();
}

const session = await startSession({ after });
const { folder } = session;
await session.run('shelflist add -t Emma -a "Jane Austen" -y 1815');
await session.run('shelflist add -t "Grandpré, 书" --year=-1');

beforeEach(async () => {
  for (const name of await exported(folder)) await rm(join(folder, name));
});

const csv = 'title,author,year,shelflist-export\nEmma,Jane Austen,1815,begin\n"Grandpré, 书",,-1,end\n';
const json =
  '[\n{"title":"Emma","author":"Jane Austen","year":1815},\n{"title":"Grandpré, 书","author":"","year":-1}\n]\n';
const ndjson =
  '{"title":"Emma","author":"Jane Austen","year":1815,"shelflist-export":"begin"}\n{"title":"Grandpré, 书","author":"","year":-1,"shelflist-export":"end"}\n';

describe('the format is that of the name, or the one that is named', () => {
  const table: [commandLine: string, file: string, text: string][] = [
    ['shelflist export x.csv', 'x.csv', csv],
    ['shelflist export x.CSV', 'x.CSV', csv],
    ['shelflist export x.json', 'x.json', json],
    ['shelflist export x.JSON', 'x.JSON', json],
    ['shelflist export x.ndjson', 'x.ndjson', ndjson],
    ['shelflist export x.jsonl', 'x.jsonl', ndjson],
    ['shelflist export x.txt', 'x.txt', csv],
    ['shelflist export x', 'x', csv],
    ['shelflist export x.json --format csv', 'x.json', csv],
    ['shelflist export x --format json', 'x', json],
    ['shelflist export x.csv --format ndjson', 'x.csv', ndjson],
    ['shelflist export x.csv --bom', 'x.csv', `\uFEFF${csv}`],
    ['shelflist export x.json --bom', 'x.json', json],
    [
      'shelflist export x.csv --with-ids',
      'x.csv',
      'id,title,author,year,shelflist-export\n1,Emma,Jane Austen,1815,begin\n2,"Grandpré, 书",,-1,end\n',
    ],
    [
      'shelflist export x.json --with-ids',
      'x.json',
      json.replace('"title":"E', '"id":1,"title":"E').replace('"title":"G', '"id":2,"title":"G'),
    ],
    [
      'shelflist export x.ndjson --with-ids',
      'x.ndjson',
      ndjson.replace('"title":"E', '"id":1,"title":"E').replace('"title":"G', '"id":2,"title":"G'),
    ],
  ];
  for (const [commandLine, file, text] of table) {
    test(commandLine, async () => {
      const { code, stdout, stderr } = await session.run(commandLine);
      assert.match(stderr, new RegExp(`^exported 2 books to ${file} in \\d+\\.\\d s\n$`));
      assert.deepEqual([code, stdout], [0, '']);
      assert.equal(await readFile(join(folder, file), 'utf8'), text);
      assert.deepEqual(await exported(folder), [file]);
    });
  }

  test('with --json the summary is JSON, and it alone is on standard output', async () => {
    const { code, stdout, stderr } = await session.run('shelflist export x.ndjson --json');
    assert.deepEqual(JSON.parse(stdout), { file: 'x.ndjson', format: 'ndjson', exported: 2 });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(await readFile(join(folder, 'x.ndjson'), 'utf8'), ndjson);
  });
});

describe('to standard output: the books, and nothing else', () => {
  const table: [options: string, text: string][] = [
    ['', csv],
    ['--format json', json],
    ['--format ndjson', ndjson],
    ['--json', json],
    ['--json --format csv', csv],
  ];
  for (const [options, text] of table) {
    test(`shelflist export - ${options}`, async () => {
      const outcome = await session.run(`shelflist export - ${options}`);
      assert.deepEqual(outcome, { code: 0, stdout: text, stderr: '' });
      assert.deepEqual(await exported(folder), []);
    });
  }
});

test('a byte order mark goes to standard output too', async () => {
  const { stdout } = await session.run('shelflist export - --bom | head -c 8 | od -An -tx1');
  assert.equal(stdout, ' ef bb bf 74 69 74 6c 65\n');
});

describe('what cannot be written', () => {
  test('a file that is there stays as it is, unless --force is said', async () => {
    await writeFile(join(folder, 'x.csv'), 'mine');
    const { code, stdout, stderr } = await session.run('shelflist export x.csv');
    assert.equal(stderr, 'shelflist: x.csv is there already; --force replaces it\n');
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(await readFile(join(folder, 'x.csv'), 'utf8'), 'mine');
    assert.equal((await session.run('shelflist export x.csv --force')).code, 0);
    assert.equal(await readFile(join(folder, 'x.csv'), 'utf8'), csv);
    assert.deepEqual(await exported(folder), ['x.csv']);
  });

  const table: [commandLine: string, code: number, stderr: RegExp][] = [
    ['shelflist export', 2, /missing required argument 'file'/],
    ['shelflist export x --format xml', 2, /Allowed choices are csv, json, ndjson/],
    ['shelflist export no/x.csv', 1, /^shelflist: cannot write no\/x\.csv \(ENOENT\)\n$/],
    ['shelflist export .', 1, /^shelflist: \. is no file; - is standard output\n$/],
    [
      'SHELFLIST_TOKEN=x SHELFLIST_URL=http://127.0.0.1:1 shelflist export x.csv',
      5,
      /^shelflist: cannot reach http.+\n$/,
    ],
    ['SHELFLIST_TOKEN=x shelflist export x.csv', 4, /^shelflist: .+ refuses the token in SHELFLIST_TOKEN/],
    [
      'shelflist export x.csv --json --url http://127.0.0.1:1',
      4,
      /^{"error":{"code":"not_logged_in","message":".+"}}\n$/,
    ],
    ['shelflist export - > /dev/full', 1, /^shelflist: cannot write to standard output \(ENOSPC\)\n$/],
  ];
  for (const [commandLine, code, stderr] of table) {
    test(commandLine, async () => {
      const outcome = await session.run(commandLine);
      assert.match(outcome.stderr, stderr);
      assert.deepEqual([outcome.code, outcome.stdout], [code, '']);
      assert.deepEqual(await exported(folder), []);
    });
  }
});

describe('a service that goes away in the middle leaves no file', () => {
  const start = `{"status":200,"message":"x","data":[${Array.from(
    { length: 2_000 },
    (_, i) => `{"id":${i + 1},"title":"A","author":"B","year":1}`,
  ).join(',')}`;
  const table: [what: string, break_: 'destroy' | 'end', stderr: RegExp][] = [
    ['the connection breaks', 'destroy', /^shelflist: cannot reach .+ broke before the answer came\n$/],
    [
      'the answer ends',
      'end',
      /^shelflist: the server's answer is no list of books: it ends before its end\n$/,
    ],
  ];
  for (const [what, break_, said] of table) {
    test(what, async (t) => {
      const stranger = await startStranger(t, (_, response) => {
        response.write(start, () => response[break_]());
      });
      const run = (file: string) =>
        session.run(`SHELFLIST_TOKEN=x SHELFLIST_URL=${stranger.url} shelflist export ${file}`);
      const none = await run('x.csv');
      assert.match(none.stderr, said);
      assert.equal(none.code, 5);
      assert.deepEqual(await exported(folder), []);
      await writeFile(join(folder, 'x.csv'), 'mine');
      assert.equal((await run('x.csv --force')).code, 5);
      assert.equal(await readFile(join(folder, 'x.csv'), 'utf8'), 'mine');
      assert.deepEqual(await exported(folder), ['x.csv']);

      const piped = await run('-');
      assert.match(piped.stderr, said);
      assert.equal(piped.code, 5);
      assert.doesNotMatch(piped.stdout, /end\n$/);
    });
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} in the middle: 130, and no file`, async (t) => {
    let arrived: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    const stranger = await startStranger(t, (_, response) => {
      response.write('{"status":200,"message":"x","data":[', arrived);
    });
    // Under its own number: a shell in between would get the signal in its place.
    const own = `bash -c 'echo $$ > pid; exec "$@"' - "${process.execPath}" "${program}"`;
    const exporting = session.run(`SHELFLIST_TOKEN=x SHELFLIST_URL=${stranger.url} ${own} export x.csv`);
    await asked;
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), signal);
    const { code, stdout, stderr } = await exporting;
    assert.equal(stderr, 'shelflist: stopped before the last book\n');
    assert.deepEqual([code, stdout], [130, '']);
    assert.deepEqual(await exported(folder), []);
  });
}

test('no books: a file all the same, which is imported as none', async (t) => {
  const { folder: cwd, run } = await startSession(t);
  for (const file of ['x.csv', 'x.json', 'x.ndjson']) {
    for (const options of ['', '--with-ids --bom --force']) {
      const out = await run(`shelflist export ${file} ${options}`);
      assert.match(out.stderr, /^exported 0 books to /);
      assert.equal(out.code, 0);
      const back = await run(`shelflist import ${file} --json`);
      const { added, rejected } = JSON.parse(back.stdout) as Record<string, unknown>;
      assert.deepEqual([back.code, back.stderr, added, rejected], [0, '', 0, 0]);
    }
  }
  assert.equal((await run('shelflist list')).stdout, '');
  assert.deepEqual(await exported(cwd), ['x.csv', 'x.json', 'x.ndjson']);
});

describe('a catalogue of some length', async () => {
  const long = await startSession({ after });
  const rows = Array.from({ length: 1_100 }, (_, i) => `${i} ${'long '.repeat(100)},B,${i}\n`);
  const filled = await long.run('shelflist import -', { input: `title,author,year\n${rows.join('')}` });
  assert.equal(filled.code, 0, filled.stderr);

  for (const format of ['csv', 'json', 'ndjson']) {
    test(`a reader that has enough ends it quietly: ${format}`, async () => {
      const { code, stdout, stderr } = await long.run(
        `set -o pipefail; shelflist export - --format ${format} | head -1`,
      );
      assert.equal(stdout.split('\n').length, 2);
      assert.deepEqual([code, stderr], [0, '']);
    });

    test(`through a pipe into an import that skips: none is added: ${format}`, async () => {
      const { code, stdout, stderr } = await long.run(
        `shelflist export - --format ${format} | shelflist import - --on-duplicate skip --json`,
      );
      const { added, skipped, rejected } = JSON.parse(stdout) as Record<string, unknown>;
      assert.deepEqual([code, stderr, added, skipped, rejected], [0, '', 0, 1_100, 0]);
    });

    test(`a disk that is full leaves no file: ${format}`, async () => {
      const { code, stdout, stderr } = await long.run(`ulimit -f 100; shelflist export x.${format}`);
      assert.equal(stderr, `shelflist: cannot write x.${format} (EFBIG)\n`);
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(await exported(long.folder), []);
    });
  }
});

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
const bookFields: fc.Arbitrary<BookFields> = fc.record({
  title: text,
  author: text,
  year: fc.oneof(
    fc.maxSafeInteger(),
    fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  ),
});
const isMarked = ({ title, author }: BookFields) => (title + author).includes('\uFEFF');
const generated = [
  ...nasty.map((title) => ({ title, author: 'A', year: 1 })),
  ...nasty.map((author) => ({ title: 'A', author, year: 2 })),
  ...fc.sample(bookFields, { seed: 20_260_101, numRuns: 300 }),
].filter((book) => !isMarked(book));

describe('a round trip: every character of every book comes back', () => {
  const table: [what: string, books: BookFields[]][] = [
    ['any Unicode text', generated],
    [
      'byte order marks in a text',
      marked.flatMap((mark) => [
        { title: mark, author: 'A', year: 1 },
        { title: 'A', author: mark, year: 1 },
      ]),
    ],
  ];
  const inOrder = (books: readonly (Book | BookFields)[]) =>
    books.map(({ title, author, year }) => JSON.stringify([title, author, year])).sort();

  for (const [what, books] of table) {
    test(what, async (t) => {
      const from = await startSession(t);
      const client = await connect(t, from);
      for (const fields of books) await client.create(fields);
      for (const file of ['x.csv', 'x.json', 'x.ndjson']) {
        for (const options of ['', '--with-ids --bom --force']) {
          const out = await from.run(`shelflist export ${file} ${options}`);
          assert.equal(out.code, 0, out.stderr);
        }
        const to = await startSession(t);
        const back = await to.run(`shelflist import "${join(from.folder, file)}"`);
        assert.equal(back.code, 0, back.stderr);
        const copied = await (await connect(t, to)).list();
        assert.deepEqual(inOrder(copied), inOrder(books), file);
        await to.service.stop();
      }
    });
  }
});
