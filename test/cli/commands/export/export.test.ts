import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, beforeEach, describe, test } from 'node:test';
import { formatRevision } from '../../../../src/formats/revision.ts';
import { storedBook } from '../../../support/books.ts';
import { program, titleOf, type Command } from '../../../support/cli.ts';
import { startSession, startStranger } from '../../../support/session.ts';
import { sized } from '../../../support/size.ts';

/** What exports left in a folder: files, and drafts of files. */
async function exported(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^x\b/.test(name) || name.endsWith('.tmp')).sort();
}

const session = await startSession({ after });
const { folder } = session;
await session.run(['add', '-t', 'Emma', '-a', 'Jane Austen', '-y', '1815']);
await session.run(['add', '-t', 'Grandpré, 书', '--year=-1']);

beforeEach(async () => {
  for (const name of await exported(folder)) await rm(join(folder, name));
});

const csv = 'title,author,year\r\nEmma,Jane Austen,1815\r\n"Grandpré, 书","",-1\r\n';
const revisions = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Grandpré, 书', author: '', year: -1 },
].map((book) => formatRevision(book, false));
/** Lines of JSON with ids and revisions. */
const withKeys = (text: string) =>
  text
    .replace('"title":"E', '"id":1,"title":"E')
    .replace('"title":"G', '"id":2,"title":"G')
    .replace('1815}', `1815,"revision":"${revisions[0]}"}`)
    .replace('-1}', `-1,"revision":"${revisions[1]}"}`);
const json =
  '[\n{"title":"Emma","author":"Jane Austen","year":1815},\n{"title":"Grandpré, 书","author":"","year":-1}\n]\n';
const ndjson =
  '{"title":"Emma","author":"Jane Austen","year":1815}\n{"title":"Grandpré, 书","author":"","year":-1}\n';

describe('the format follows from --format, or from the name of the file', () => {
  const table: [command: Command, file: string, text: string][] = [
    [['export', 'x.csv'], 'x.csv', csv],
    [['export', 'x.CSV'], 'x.CSV', csv],
    [['export', 'x.json'], 'x.json', json],
    [['export', 'x.JSON'], 'x.JSON', json],
    [['export', 'x.ndjson'], 'x.ndjson', ndjson],
    [['export', 'x.jsonl'], 'x.jsonl', ndjson],
    [['export', 'x.tsv'], 'x.tsv', csv.replaceAll('"Grandpré, 书"', 'Grandpré, 书').replace(/,(?! )/g, '\t')],
    [
      ['export', 'x.csv', '--delimiter', ';'],
      'x.csv',
      csv.replaceAll('"Grandpré, 书"', 'Grandpré, 书').replace(/,(?! )/g, ';'),
    ],
    [['export', 'x.txt'], 'x.txt', csv],
    [['export', 'x'], 'x', csv],
    [['export', 'x.json', '--format', 'csv'], 'x.json', csv],
    [['export', 'x', '--format', 'json'], 'x', json],
    [['export', 'x.csv', '--format', 'ndjson'], 'x.csv', ndjson],
    [['export', 'x.csv', '--bom'], 'x.csv', `\uFEFF${csv}`],
    [['export', 'x.json', '--bom'], 'x.json', json],
    [
      ['export', 'x.csv', '--with-ids'],
      'x.csv',
      `id,title,author,year,revision\r\n1,Emma,Jane Austen,1815,${revisions[0]}\r\n2,"Grandpré, 书","",-1,${revisions[1]}\r\n`,
    ],
    [['export', 'x.json', '--with-ids'], 'x.json', withKeys(json)],
    [['export', 'x.ndjson', '--with-ids'], 'x.ndjson', withKeys(ndjson)],
  ];
  for (const [command, file, text] of table) {
    test(titleOf(command), async () => {
      const { code, stdout, stderr } = await session.run(command);
      assert.match(stderr, new RegExp(`^exported 2 books to ${file} in \\d+\\.\\d s\n$`));
      assert.deepEqual([code, stdout], [0, '']);
      assert.equal(await readFile(join(folder, file), 'utf8'), text);
      assert.deepEqual(await exported(folder), [file]);
    });
  }

  test('with --json, standard output has only the summary as JSON', async () => {
    const { code, stdout, stderr } = await session.run(['export', 'x.ndjson', '--json']);
    assert.deepEqual(JSON.parse(stdout), { file: 'x.ndjson', format: 'ndjson', exported: 2 });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(await readFile(join(folder, 'x.ndjson'), 'utf8'), ndjson);
  });
});

describe('an export to standard output writes only the books', () => {
  const table: [options: string[], text: string][] = [
    [[], csv],
    [['--format', 'json'], json],
    [['--format', 'ndjson'], ndjson],
    [['--json'], json],
    [['--json', '--format', 'csv'], csv],
  ];
  for (const [options, text] of table) {
    test(`shelflist export - ${options.join(' ')}`, async () => {
      const outcome = await session.run(['export', '-', ...options]);
      assert.deepEqual(outcome, { code: 0, stdout: text, stderr: '' });
      assert.deepEqual(await exported(folder), []);
    });
  }
});

test('--bom works with standard output too', async () => {
  const { stdout } = await session.run('shelflist export - --bom | head -c 8 | od -An -tx1');
  assert.equal(stdout, ' ef bb bf 74 69 74 6c 65\n');
});

describe('an export that cannot be written', () => {
  test('an existing file is replaced only with --force', async () => {
    await writeFile(join(folder, 'x.csv'), 'mine');
    const { code, stdout, stderr } = await session.run(['export', 'x.csv']);
    assert.equal(stderr, 'shelflist: x.csv exists already; --force replaces it\n');
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(await readFile(join(folder, 'x.csv'), 'utf8'), 'mine');
    assert.equal((await session.run(['export', 'x.csv', '--force'])).code, 0);
    assert.equal(await readFile(join(folder, 'x.csv'), 'utf8'), csv);
    assert.deepEqual(await exported(folder), ['x.csv']);
  });

  const table: { command: Command; code: number; stderr: RegExp; env?: Record<string, string> }[] = [
    { command: ['export'], code: 2, stderr: /missing argument <file>/ },
    {
      command: ['export', 'x', '--format', 'xml'],
      code: 2,
      stderr: /expected one of csv, xlsx, tsv, json, ndjson, csl-json, ris, bibtex, marcxml, html/,
    },
    {
      command: ['export', 'x.mrc'],
      code: 2,
      stderr: /MARC21 cannot be written; export to \.xml, which is MARCXML/,
    },
    {
      command: ['export', 'x.ods'],
      code: 2,
      stderr: /^shelflist: \.ods cannot be written; export to \.xlsx, /,
    },
    {
      command: ['export', 'x.pdf'],
      code: 2,
      stderr: /^shelflist: cannot export to \.pdf; name a file that ends in \.csv, /,
    },
    {
      command: ['export', 'x.json', '--excel'],
      code: 2,
      stderr: /^shelflist: --excel is for CSV, not for json\n$/,
    },
    {
      command: ['export', 'x', '--delimiter', 'ab'],
      code: 2,
      stderr: /expected one character, or comma, semicolon, tab or pipe/,
    },
    {
      command: ['export', 'no/x.csv'],
      code: 1,
      stderr: /^shelflist: cannot write no\/x\.csv: the folder no does not exist; create it: mkdir -p no\n$/,
    },
    { command: ['export', '.'], code: 1, stderr: /^shelflist: \. is not a file; - is standard output\n$/ },
    {
      command: ['export', 'x.csv'],
      code: 5,
      stderr: /^shelflist: cannot reach http.+\n$/,
      env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
    },
    {
      command: ['export', 'x.csv'],
      code: 4,
      stderr: /^shelflist: .+ refuses the token in SHELFLIST_TOKEN/,
      env: { SHELFLIST_TOKEN: 'x' },
    },
    {
      command: ['export', 'x.csv', '--json', '--url', 'http://127.0.0.1:1'],
      code: 5,
      stderr: /^{"error":{"code":"unreachable","message":".+"}}\n$/,
    },
    {
      command: 'shelflist export - > /dev/full',
      code: 1,
      stderr: /^shelflist: cannot write to standard output \(ENOSPC\)\n$/,
    },
  ];
  for (const { command, code, stderr, env } of table) {
    test(`${titleOf(command, env)}: ${code}`, async () => {
      const outcome = await session.run(command, { env });
      assert.match(outcome.stderr, stderr);
      assert.deepEqual([outcome.code, outcome.stdout], [code, '']);
      assert.deepEqual(await exported(folder), []);
    });
  }
});

describe('a service that ends during an export leaves no file', () => {
  const start = `{"status":200,"message":"x","data":[${Array.from({ length: 2_000 }, (_, i) =>
    JSON.stringify(storedBook(i + 1, { title: 'A', author: 'B', year: 1 })),
  ).join(',')}`;
  const table: [what: string, break_: 'destroy' | 'end', stderr: RegExp][] = [
    [
      'the connection breaks',
      'destroy',
      /^shelflist: cannot reach .+ broke before the response was complete\n$/,
    ],
    ['the answer ends', 'end', /^shelflist: the response \(HTTP 200\) is not from shelflist: .+\n$/],
  ];
  for (const [what, break_, said] of table) {
    test(what, async (t) => {
      const stranger = await startStranger(t, (_, response) => {
        response.write(start, () => response[break_]());
      });
      const env = { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: stranger.url };
      const run = (...args: string[]) => session.run(['export', ...args], { env });
      const none = await run('x.csv');
      assert.match(none.stderr, said);
      assert.equal(none.code, 5);
      assert.deepEqual(await exported(folder), []);
      await writeFile(join(folder, 'x.csv'), 'mine');
      assert.equal((await run('x.csv', '--force')).code, 5);
      assert.equal(await readFile(join(folder, 'x.csv'), 'utf8'), 'mine');
      assert.deepEqual(await exported(folder), ['x.csv']);

      const piped = await run('-');
      assert.match(piped.stderr, said);
      assert.equal(piped.code, 5);
    });
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} during an export exits with 130 and leaves no file`, async (t) => {
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
    assert.equal(stderr, 'shelflist: interrupted before the last book\n');
    assert.deepEqual([code, stdout], [130, '']);
    assert.deepEqual(await exported(folder), []);
  });
}

test('an export without books writes a file that an import accepts', async (t) => {
  const { folder: cwd, run } = await startSession(t);
  for (const file of ['x.csv', 'x.json', 'x.ndjson']) {
    for (const options of [[], ['--with-ids', '--bom', '--force']]) {
      const out = await run(['export', file, ...options]);
      assert.match(out.stderr, /^exported 0 books to /);
      assert.equal(out.code, 0);
      const back = await run(['import', file, '--json']);
      const { added, rejected } = JSON.parse(back.stdout) as Record<string, unknown>;
      assert.deepEqual([back.code, back.stderr, added, rejected], [0, '', 0, 0]);
    }
  }
  assert.equal((await run(['list'])).stdout, '');
  assert.deepEqual(await exported(cwd), ['x.csv', 'x.json', 'x.ndjson']);
});

describe('a long catalogue', async () => {
  const long = await startSession({ after });
  const rows = Array.from({ length: 1_100 }, (_, i) => `${i} ${'long '.repeat(100)},B,${i}\n`);
  const filled = await long.run(['import', '-'], { input: `title,author,year\n${rows.join('')}` });
  assert.equal(filled.code, 0, filled.stderr);

  for (const format of sized({ short: ['csv'], long: ['csv', 'json', 'ndjson'] })) {
    test(`a reader that closes the pipe early ends the export quietly: ${format}`, async () => {
      const { code, stdout, stderr } = await long.run(
        `set -o pipefail; shelflist export - --format ${format} | head -1`,
      );
      assert.equal(stdout.split('\n').length, 2);
      assert.deepEqual([code, stderr], [0, '']);
    });

    test(`an export piped into an import with skip adds no book: ${format}`, async () => {
      const { code, stdout, stderr } = await long.run(
        `shelflist export - --format ${format} | shelflist import - --on-duplicate skip --json`,
      );
      const { added, skipped, rejected } = JSON.parse(stdout) as Record<string, unknown>;
      assert.deepEqual([code, stderr, added, skipped, rejected], [0, '', 0, 1_100, 0]);
    });

    test(`a full disk leaves no file: ${format}`, async () => {
      const { code, stdout, stderr } = await long.run(`ulimit -f 100; shelflist export x.${format}`);
      assert.equal(
        stderr,
        `shelflist: cannot write x.${format} (EFBIG); check the space and the mode of its folder, or choose another\n`,
      );
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(await exported(long.folder), []);
    });
  }
});

describe('export - to a terminal', () => {
  test('escapes what the terminal would obey, and writes it as it is elsewhere', async () => {
    const title = 'a\u001b]0;owned\u0007b\u009b2Jc\u202ed';
    const { run } = await startSession({ after });
    await run(['add', '-t', title]);
    for (const format of ['csv', 'tsv', 'json', 'ndjson', 'csl-json', 'ris', 'bibtex', 'marcxml']) {
      const { code, stdout, stderr } = await run(['export', '-', '--format', format], { showsOutput: true });
      // eslint-disable-next-line no-control-regex -- none may be left.
      assert.doesNotMatch(stdout, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/, format);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /owned/, format);
    }
    assert.ok((await run(['export', '-', '--format', 'csv'])).stdout.includes(title));
  });

  test('refuses an Excel file', async () => {
    const { code, stdout, stderr } = await session.run(['export', '-', '--format', 'xlsx'], {
      showsOutput: true,
    });
    const message = 'shelflist: cannot write an Excel file to a terminal; name a file\n';
    assert.deepEqual([code, stdout, stderr], [2, '', message]);
  });
});

describe('a catalogue in one HTML file', () => {
  const dataOf = async (file: string) => {
    const text = await readFile(join(folder, file), 'utf8');
    const [, json = ''] = /id="catalogue">(.*)<\/script>\n/.exec(text) ?? [];
    return JSON.parse(json) as { name: string; language: string; books: unknown[][] };
  };

  test('has the selected books, and the name and the language that were chosen', async () => {
    const { code, stderr } = await session.run([
      ...['export', 'x.html', '--author', 'Jane Austen', '--name', 'Village library', '--language', 'fr'],
    ]);
    assert.equal(code, 0);
    assert.match(stderr, /^exported 1 book to x\.html in /);
    const { name, language, books } = await dataOf('x.html');
    assert.deepEqual([name, language], ['Village library', 'fr']);
    assert.deepEqual(books, [[1, 'Emma', 'Jane Austen', 1815]]);
  });

  test('has the name of the file, and the language of the system', async () => {
    const env = { LC_ALL: 'de_AT.UTF-8' };
    assert.equal((await session.run(['export', 'x', '--format', 'html'], { env })).code, 0);
    const { name, language, books } = await dataOf('x');
    assert.deepEqual([name, language, books.length], ['x', 'de', 2]);
    const { stdout } = await session.run(['export', '-', '--format', 'html']);
    assert.match(stdout, /^<!doctype html>/);
  });

  test('is refused for more than 10,000 books, and leaves no file', async (t) => {
    const many = await startSession(t);
    const rows = Array.from({ length: 10_001 }, (_, i) => `Book ${i + 1}`);
    await writeFile(join(many.folder, 'many.csv'), ['title', ...rows].join('\n'));
    assert.equal((await many.run(['import', 'many.csv'])).code, 0);
    const { code, stderr } = await many.run(['export', 'x.html']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^shelflist: an HTML file holds at most 10000 books, and there are more; select some, /m,
    );
    assert.deepEqual(await exported(many.folder), []);
  });

  test('alone has a name and a language', async () => {
    const { code, stderr } = await session.run(['export', 'x.csv', '--language', 'de']);
    assert.deepEqual([code, stderr], [2, 'shelflist: --language is for HTML, not for csv\n']);
  });
});
