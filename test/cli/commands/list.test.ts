import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, describe, test } from 'node:test';
import type { Book } from '../../../src/book.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Les Misérables', author: 'Victor Hugo', year: 1862 },
  { title: 'The Epic of Gilgamesh', author: 'Anonymous', year: -1750 },
  { title: 'Straße & Co.', author: 'Żeromski', year: 1905 },
  { title: '紅樓夢', author: '曹雪芹', year: 1791 },
  { title: 'Persuasion', author: 'Jane Austen', year: 1817 },
];
for (const book of books) await session.run('shelflist import -', { input: JSON.stringify([book]) });

describe('the books that fit, by their ids', () => {
  const table: [options: string, ids: string][] = [
    ['', '1 2 3 4 5 6'],
    ['austen', '1 6'],
    ['aust pers', '6'],
    ['"jane AUS"', '1 6'],
    ['em --sort -id', '1'],
    ['miserables', '2'],
    ['MISÉRABLES', '2'],
    ["$'mise\\u0301r'", '2'],
    ['strasse żerom', '4'],
    ['紅樓', '5'],
    ['usten', ''],
    ["emma '&' ''", '1'],
    ['-- -emma', '1'],
    ['--author "jane austen"', '1 6'],
    ['-a jane', ''],
    ['--title "STRASSE, Co"', '4'],
    ['-t emma -a "Jane Austen" -y 1815', '1'],
    ['--year 1815', '1'],
    ['--year=-1750', '3'],
    ['--year-from 1815 --year-to 1862', '1 2 6'],
    ['--year-to=-1', '3'],
    ['--year-from 2 --year-to 1', ''],
    ['--sort year', '3 5 1 6 2 4'],
    ['austen --sort=-year', '6 1'],
    ['--limit 2', '1 2'],
    ['--limit 6', '1 2 3 4 5 6'],
    ['--limit 9007199254740991', '1 2 3 4 5 6'],
    ['austen --sort -year --limit 1', '6'],
  ];
  for (const [options, ids] of table) {
    test(`list ${options}: ${ids}`, async () => {
      const { code, stdout, stderr } = await session.run(`shelflist list --json ${options}`);
      const found = JSON.parse(stdout) as Book[];
      assert.equal(found.map(({ id }) => id).join(' '), ids);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const { id, ...fields } of found) assert.deepEqual(fields, books[id - 1]);
    });
  }
});

describe('what is written', () => {
  const table: [options: string, stdout: string][] = [
    ['emma', '1\tEmma\tJane Austen\t1815\n'],
    ['emma --json', '[{"id":1,"title":"Emma","author":"Jane Austen","year":1815}]\n'],
    ['emma --format csv', 'id,title,author,year\n1,Emma,Jane Austen,1815\n'],
    ['nobody', ''],
    ['nobody --json', '[]\n'],
    ['nobody --format ndjson', ''],
    ['nobody --format csv', 'id,title,author,year\n'],
    ['nobody --format table', 'ID  TITLE  AUTHOR  YEAR\n'],
    ['--count', '6\n'],
    ['austen --count', '2\n'],
    ['nobody --count', '0\n'],
    ['--year-from 1800 --count --json', '{"count":4}\n'],
    ['--count --format json', '{"count":6}\n'],
    ['--count --format ndjson', '{"count":6}\n'],
    ['--count --format csv', 'count\n6\n'],
    ['--count --format table', 'COUNT\n6\n'],
  ];
  for (const [options, stdout] of table) {
    test(`list ${options}`, async () => {
      assert.deepEqual(await session.run(`shelflist list ${options}`), { code: 0, stdout, stderr: '' });
    });
  }
});

describe('a command line that is none: 2', () => {
  const table: [options: string, stderr: RegExp][] = [
    ['--limit 0', /argument '0' is invalid\. A limit is a whole number from 1 to 2\^53-1\.\n/],
    ['--limit=-1', /A limit is a whole number/],
    ['--limit 1e3', /A limit is a whole number/],
    ['--limit 9007199254740992', /A limit is a whole number/],
    ['--limit', /argument missing/],
    ['--year x', /A year is a whole number/],
    ['--year-from 1.5', /A year is a whole number/],
    ['--year-to ""', /A year is a whole number/],
    ['--sort pages', /Allowed choices are id, -id, title, -title, author, -author, year, -year\.\n/],
    ['--count --limit 1', /option '--count' cannot be used with option '--limit <count>'/],
    ['--count --sort year', /option '--count' cannot be used with option '--sort <key>'/],
    ['--publisher x', /unknown option '--publisher'/],
    ['--search emma', /^shelflist: unknown option '--search'\n\(Books are found with `list`: shelflist list/],
    ["''", /^shelflist: there is no word in "": a word is letters and digits; without words, every book/],
    ["'!!!' '&'", /^shelflist: there is no word in "!!! &": /],
    ['🎉', /^shelflist: there is no word in "🎉": /],
    ["'' --year 1815 --count", /^shelflist: there is no word in "": /],
  ];
  for (const [options, stderr] of table) {
    test(`list ${options}`, async () => {
      const outcome = await session.run(`shelflist list ${options}`);
      assert.match(outcome.stderr, stderr);
      assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 2, stdout: '' });
    });
  }
});

describe('on a terminal', { skip: noTerminal }, () => {
  const type = (commandLine: string, url = session.service.url) =>
    terminal(commandLine, { cwd: session.folder, env: { SHELFLIST_URL: url, NO_COLOR: '1' } });

  test('nothing that fits is said', async () => {
    const { code, screen } = await type('shelflist list nobody');
    assert.equal(screen, 'ID  TITLE  AUTHOR  YEAR\nno book fits\n');
    assert.equal(code, 0);
  });

  const parts: [options: string, example: string][] = [
    ['-a austen', ': shelflist list austen'],
    ['em -t Persua -a "Jane A."', ': shelflist list em persua jane a'],
    ["-t '!'", ''],
  ];
  for (const [options, example] of parts) {
    test(`and what finds a part: ${options}`, async () => {
      assert.equal(
        (await type(`shelflist list ${options}`)).screen,
        `ID  TITLE  AUTHOR  YEAR\nno book fits; --title and --author take the whole text, and words find a part${example}\n`,
      );
    });
  }

  test('but not within JSON', async () => {
    assert.equal((await type('shelflist list nobody --json')).screen, '[]\n');
  });

  test('an empty catalogue is an empty table', async (context) => {
    const empty = await startSession(context);
    const { screen } = await terminal('shelflist list --sort year', {
      cwd: empty.folder,
      env: { SHELFLIST_URL: empty.service.url, NO_COLOR: '1' },
    });
    assert.equal(screen, 'ID  TITLE  AUTHOR  YEAR\n');
  });
});

describe('some thousand books', () => {
  const count = 3_500;
  test('as many as are asked for, page by page', async (context) => {
    const many = await startSession(context);
    const rows = Array.from({ length: count }, (_, i) => `Vol. ${i + 1},${i % 2 === 0 ? 'Even' : 'Odd'}\n`);
    await many.run('shelflist import -', { input: `title,author\n${rows.join('')}` });
    const table: [options: string, books: number, last: number][] = [
      ['--limit 999', 999, 999],
      ['--limit 1000', 1000, 1000],
      ['--limit 1001', 1001, 1001],
      ['--limit 2500', 2500, 2500],
      ['--limit 3500', count, count],
      ['--limit 99999', count, count],
      ['', count, count],
      ['odd --limit 1500', 1500, 3000],
      ['odd --limit 9999', count / 2, count],
      ['--sort -id --limit 3000', 3000, 501],
      ['--sort title --limit 1100', 1100, 1989],
    ];
    for (const [options, length, last] of table) {
      const { code, stdout, stderr } = await many.run(`shelflist list ${options} --format ndjson`);
      const ids = stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Book).id);
      assert.deepEqual([ids.length, ids.at(-1)], [length, last], options);
      assert.equal(new Set(ids).size, length, options);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    }
    const { stdout } = await many.run('shelflist list --count odd');
    assert.equal(stdout, `${count / 2}\n`);
    for (const options of ['', '--limit 3000', '--format csv --sort title']) {
      const outcome = await many.run(`set -o pipefail; shelflist list ${options} | head -1`);
      assert.deepEqual([outcome.code, outcome.stderr], [0, ''], options);
      assert.match(outcome.stdout, /^.+\n$/);
    }
  });
});

describe('a server that is none of ours, or older', () => {
  const env = { SHELFLIST_TOKEN: 's3cret' };
  const book = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
  const answer = (response: ServerResponse, data: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(200, headers).end(JSON.stringify({ status: 200, message: 'x', data }));
  };

  const endless: [what: string, data: unknown, requests: number][] = [
    ['the same next page for ever', [book], 2],
    ['empty pages for ever', [], 1],
  ];
  for (const [what, data, requests] of endless) {
    test(`${what}: 5`, async (context) => {
      const server = await startStranger(context, (_, response) => {
        answer(response, data, { Link: '</books?after=again>; rel="next"' });
      });
      const { code, stdout, stderr } = await session.run('shelflist list --limit 5000', {
        env: { ...env, SHELFLIST_URL: server.url },
      });
      assert.equal(stderr, "shelflist: the server's answer does not lead to the next page of books\n");
      assert.equal(stdout, '');
      assert.equal(code, 5);
      assert.equal(server.requests.length, requests);
    });
  }

  test('links to another host: the token does not go there', async (context) => {
    const other = await startStranger(context);
    const server = await startStranger(context, (request, response) => {
      const isFirst = !request.url?.includes('after=');
      const link = { Link: `<${other.url}/books?after=abc>; rel="next"` };
      answer(response, [{ ...book, id: isFirst ? 1 : 2 }], isFirst ? link : {});
    });
    const { code, stdout } = await session.run('shelflist list --limit 5 | cut -f 1', {
      env: { ...env, SHELFLIST_URL: server.url },
    });
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '1\n2\n' });
    assert.deepEqual(server.requests, ['GET /books?limit=5 s3cret', 'GET /books?limit=4&after=abc s3cret']);
    assert.deepEqual(other.requests, []);
  });

  test('more books than were asked for are left out', async (context) => {
    const server = await startStranger(context, (_, response) => {
      answer(response, [book, { ...book, id: 2 }]);
    });
    const { stdout } = await session.run('shelflist list --limit 1 | cut -f 1', {
      env: { ...env, SHELFLIST_URL: server.url },
    });
    assert.equal(stdout, '1\n');
  });

  test('an older service takes no query, and that is said; without one, it lists its books', async (context) => {
    const server = await startStranger(context, (request, response) => {
      if (request.url === '/books') answer(response, [book]);
      else response.writeHead(400).end('{"status":400,"message":"Invalid query","data":null}');
    });
    const run = (options: string) =>
      session.run(`shelflist list ${options}`, { env: { ...env, SHELFLIST_URL: server.url } });
    for (const options of ['emma', '--limit 1', '--count', '--sort year']) {
      const { code, stdout, stderr } = await run(options);
      assert.match(
        stderr,
        /^shelflist: the service refuses the query: .*; or the service is older than this/,
      );
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    }
    assert.equal((await run('')).stdout, '1\tEmma\tJane Austen\t1815\n');
  });
});
