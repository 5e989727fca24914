import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, describe, test } from 'node:test';
import { exampleBook, type Book } from '../../../src/catalogue/book.ts';
import { bookOf } from '../../support/books.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const books = [
  bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 }),
  bookOf({ title: 'Les Misérables', author: 'Victor Hugo', year: 1862 }),
  bookOf({ title: 'The Epic of Gilgamesh', author: 'Anonymous', year: -1750 }),
  bookOf({ title: 'Straße & Co.', author: 'Żeromski', year: 1905 }),
  bookOf({ title: '紅樓夢', author: '曹雪芹', year: 1791 }),
  bookOf({ title: 'Persuasion', author: 'Jane Austen', year: 1817 }),
];
for (const book of books) await session.run(['import', '-'], { input: JSON.stringify([book]) });

/** Where --limit ends a list, the rest of the message: `paging.test.ts` has the cursor. */
const withoutCursor = (stderr: string) => stderr.replace(/^to go on, .* with --after \S+\n/m, '');

describe('list finds the matching books', () => {
  const table: [options: string[], ids: string][] = [
    [[], '1 2 3 4 5 6'],
    [['austen'], '1 6'],
    [['jane AUS'], '1 6'],
    [['em', '--sort', '-id'], '1'],
    [['strasse', 'żerom'], '4'],
    [['emma', '&', ''], '1'],
    [['--', '-emma'], '1'],
    [['epic', '-1750'], '3'],
    [['--author', 'jane austen'], '1 6'],
    [['--in-author', 'aust'], '1 6'],
    [['--in-author', 'jan', '--in-author', 'AUS'], '1 6'],
    [['jane', '--in-title', 'em'], '1'],
    [['--title', 'STRASSE & Co'], '4'],
    [['-t', 'emma', '-a', 'Jane Austen', '-y', '1815'], '1'],
    [['--year=-1750'], '3'],
    [['--year-from', '1815', '--year-to', '1862'], '1 2 6'],
    [['--year-to=-1'], '3'],
    [['austen', '--sort=-year'], '6 1'],
    [['--limit', '2'], '1 2'],
    [['--limit', '6'], '1 2 3 4 5 6'],
    [['--limit', '9007199254740991'], '1 2 3 4 5 6'],
    [['austen', '--sort', '-year', '--limit', '1'], '6'],
  ];
  for (const [options, ids] of table) {
    test(`list ${options.join(' ')}: ${ids}`, async () => {
      const { code, stdout, stderr } = await session.run(['list', '--json', ...options]);
      const found = JSON.parse(stdout) as Book[];
      assert.equal(found.map(({ id }) => id).join(' '), ids);
      assert.deepEqual({ code, stderr: withoutCursor(stderr) }, { code: 0, stderr: '' });
      for (const { id, ...fields } of found) assert.deepEqual(fields, books[id - 1]);
    });
  }
});

describe('the output of list', () => {
  const nobody = 'no book matches: search for words or their beginnings\n';
  const table: [options: string[], stdout: string, stderr?: string][] = [
    [['emma'], '1\tEmma\tJane Austen\t1815\n'],
    [['emma', '--json'], '[{"id":1,"title":"Emma","author":"Jane Austen","year":1815}]\n'],
    [['emma', '--format', 'csv'], 'id,title,author,year\n1,Emma,Jane Austen,1815\n'],
    [['nobody'], '', nobody],
    [['--in-title', 'nobody'], '', 'no book matches: search for words or their beginnings\n'],
    [['--year', '1900'], '', 'no book matches\n'],
    [['nobody', '--json'], '[]\n'],
    [['nobody', '--format', 'ndjson'], '', nobody],
    [['nobody', '--format', 'csv'], 'id,title,author,year\n', nobody],
    [['nobody', '--format', 'table'], 'ID  TITLE  AUTHOR  YEAR\n', nobody],
    [['--count'], '6\n'],
    [['austen', '--count'], '2\n'],
    [['nobody', '--count'], '0\n'],
    [['--year-from', '1800', '--count', '--json'], '{"count":4}\n'],
    [['--count', '--format', 'json'], '{"count":6}\n'],
    [['--count', '--format', 'ndjson'], '{"count":6}\n'],
    [['--count', '--format', 'csv'], 'count\n6\n'],
    [['--count', '--format', 'table'], 'COUNT\n6\n'],
  ];
  for (const [options, stdout, stderr = ''] of table) {
    test(`list ${options.join(' ')}`, async () => {
      assert.deepEqual(await session.run(['list', ...options]), { code: 0, stdout, stderr });
    });
  }
});

describe('a search that finds nothing', () => {
  const table: [options: string[], typed: string, correction: string, ids: number[]][] = [
    [['jane', 'emna'], 'jane emna', 'jane emma', [1]],
    [
      ['misrables', '--in-author', 'hugoo'],
      'misrables --in-author hugoo',
      'miserables --in-author hugo',
      [2],
    ],
    [['--in-title', 'of gilgamehs'], '--in-title "of gilgamehs"', '--in-title "of gilgamesh"', [3]],
    [['asten', '--limit', '1'], 'asten', 'austen', [1]],
    [['asten', '--sort=-year'], 'asten', 'austen', [6, 1]],
    [['emam', '--year', '1815'], 'emam', 'emma', [1]],
    [['gilgamehs', '-1750'], 'gilgamehs -1750', 'gilgamesh -1750', [3]],
  ];
  for (const [options, typed, correction, ids] of table) {
    const said = `showing results for ${correction}; add --exact to search for ${typed} instead\n`;
    test(`lists the books of the best correction: list ${options.join(' ')}`, async () => {
      const { code, stdout, stderr } = await session.run(['list', '--json', ...options]);
      const found = (JSON.parse(stdout) as Book[]).map(({ id }) => id);
      assert.deepEqual([code, found, withoutCursor(stderr)], [0, ids, said]);
    });

    test(`only offers it with --exact: list ${options.join(' ')}`, async () => {
      const outcome = await session.run(['list', '--exact', ...options]);
      const stderr = `no book matches; did you mean: ${correction}?\n`;
      assert.deepEqual(outcome, { code: 0, stdout: '', stderr });
    });
  }

  test('counts the books of the best correction, or none with --exact', async () => {
    const stderr = 'showing results for austen; add --exact to search for asten instead\n';
    assert.deepEqual(await session.run(['list', 'asten', '--count']), { code: 0, stdout: '2\n', stderr });
    const exact = await session.run(['list', 'asten', '--count', '--exact']);
    assert.deepEqual(exact, { code: 0, stdout: '0\n', stderr: '' });
  });

  test('is not corrected by change and delete', async () => {
    for (const command of [
      ['change', 'asten', '--to-author', 'Jane'],
      ['delete', '--words', 'asten'],
    ]) {
      assert.notEqual((await session.run([...command, '--yes'])).code, 2);
      const { stdout } = await session.run(['list', 'austen', '--count']);
      assert.equal(stdout, '2\n', command.join(' '));
    }
  });

  test('is empty where no correction finds a book: list emna --year 1900', async () => {
    const { code, stderr } = await session.run(['list', 'emna', '--year', '1900']);
    assert.match(stderr, /^no book matches: search for words or their beginnings/);
    assert.equal(code, 0);
  });
});

describe('a filter by the whole text that finds nothing', () => {
  const parts: [options: string[], example: string][] = [
    [['-a', 'austen'], '; for a part: shelflist list --in-author austen'],
    [
      ['em', '-t', 'Persua', '-a', 'Jane A.'],
      '; for a part: shelflist list em --in-title persua --in-author "jane a"',
    ],
    [['-t', 'Persua', '--in-title', 'em'], '; for a part: shelflist list --in-title "em persua"'],
    [['-t', '!'], ''],
  ];
  for (const [options, example] of parts) {
    test(`is followed by a word search: ${options.join(' ')}`, async () => {
      const { code, stdout, stderr } = await session.run(['list', ...options]);
      assert.equal(stderr, `no book matches: --title and --author match the whole text${example}\n`);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    });
  }
});

describe('an invalid command line exits with 2', () => {
  const table: [options: string[], stderr: RegExp][] = [
    [['--limit', '0'], /^shelflist: invalid --limit '0': expected a whole number from 1 to 2\^53-1\n$/],
    [['--limit=-1'], /expected a whole number/],
    [['--limit', '1e3'], /expected a whole number/],
    [['--limit', '9007199254740992'], /expected a whole number/],
    [['--limit'], /missing value of --limit: expected --limit <count>/],
    [['--year', 'x'], /expected a whole number/],
    [['--year-from', '1.5'], /expected a whole number/],
    [['--year-to', ''], /expected a whole number/],
    [['--sort', 'pages'], /expected one of best, id, -id, title, -title, author, -author, year, -year\n/],
    [['--count', '--limit', '1'], /--count cannot be used with --limit: leave one of them out/],
    [['--count', '--sort', 'year'], /--count cannot be used with --sort: leave one of them out/],
    [['--publisher', 'x'], /unknown option '--publisher'/],
    [['--search', 'emma'], /^shelflist: unknown option '--search': to find books, use `shelflist list/],
    [[''], /^shelflist: "" has nothing to search for; leave it out to list every book/],
    [['!!!', '-'], /^shelflist: "!!! -" has nothing to search for/],
    [['', '--year', '1815', '--count'], /^shelflist: "" has nothing to search for/],
    [['--in-author', '!'], /^shelflist: "!" has nothing to search for; leave --in-author out\n/],
    [['--in-year', '1815'], /unknown option '--in-year'/],
  ];
  for (const [options, stderr] of table) {
    test(`list ${options.join(' ')}`, async () => {
      const outcome = await session.run(['list', ...options]);
      assert.match(outcome.stderr, stderr);
      assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 2, stdout: '' });
    });
  }
});

describe('on a terminal', { skip: noTerminal }, () => {
  const type = (commandLine: string, url = session.service.url) =>
    terminal(commandLine, { cwd: session.folder, env: { SHELFLIST_URL: url, NO_COLOR: '1' } });

  test('an empty result is reported', async () => {
    const { code, screen } = await type('shelflist list nobody');
    assert.match(
      screen,
      /^ID {2}TITLE {2}AUTHOR {2}YEAR\nno book matches: search for words or their beginnings\n$/,
    );
    assert.equal(code, 0);
  });

  test('an empty result as JSON has no message', async () => {
    assert.equal((await type('shelflist list nobody --json')).screen, '[]\n');
  });

  test('a correction is said above its books', async () => {
    const { screen } = await type('shelflist list persausion');
    assert.match(
      screen,
      /^showing results for persuasion; add --exact to search for persausion instead\nID .*\n 6 {2}Persuasion .*\n$/,
    );
  });

  test('the letters that were found are bold, unless NO_COLOR is set', async () => {
    const colours = { SHELFLIST_URL: session.service.url };
    const { screen } = await terminal('shelflist list mise --in-author hug', {
      cwd: session.folder,
      env: colours,
    });
    const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
    assert.ok(screen.includes(`Les ${bold('Misé')}rables  Victor ${bold('Hug')}o`), screen);
    const plain = await type('shelflist list mise --in-author hug');
    assert.ok(plain.screen.includes('Les Misérables  Victor Hugo'), plain.screen);
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

describe('a server that is another program, or an older service', () => {
  const env = { SHELFLIST_TOKEN: 's3cret' };
  const book = { id: 1, ...exampleBook };
  const answer = (response: ServerResponse, data: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(200, headers).end(JSON.stringify({ status: 200, message: 'x', data }));
  };

  const endless: [what: string, data: unknown, requests: number][] = [
    ['the same next page for ever', [book], 2],
    ['empty pages for ever', [], 2],
  ];
  for (const [what, data, requests] of endless) {
    test(`${what}: 5`, async (context) => {
      const server = await startStranger(context, (_, response) => {
        answer(response, data, { Link: '</books?after=again>; rel="next"' });
      });
      const { code, stdout, stderr } = await session.run(['list', '--limit', '5000'], {
        env: { ...env, SHELFLIST_URL: server.url },
      });
      assert.equal(stderr, 'shelflist: the response of the service does not lead to the next page\n');
      assert.equal(stdout, '');
      assert.equal(code, 5);
      assert.equal(server.requests.length, requests);
    });
  }

  test('the token is not sent to another host that a link names', async (context) => {
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

  test('a service that cannot count the books in time is an error', async (context) => {
    const server = await startStranger(context, (_, response) => {
      answer(response, [book]);
    });
    const { code, stdout, stderr } = await session.run(['list', '--count'], {
      env: { ...env, SHELFLIST_URL: server.url },
    });
    assert.match(stderr, /cannot count so many books in time/);
    assert.deepEqual({ code, stdout }, { code: 5, stdout: '' });
  });

  test('books whose words only contain those of the query are named as such', async (context) => {
    const server = await startStranger(context, (_, response) => {
      answer(response, [book], { 'X-Match': 'parts' });
    });
    const { stdout, stderr } = await session.run(['list', 'eidegger'], {
      env: { ...env, SHELFLIST_URL: server.url },
    });
    assert.equal(
      stderr,
      'no book matches eidegger at the beginning of words; showing matches inside words\n',
    );
    assert.match(stdout, /^1\t/);
  });

  test('books beyond the limit are left out', async (context) => {
    const server = await startStranger(context, (_, response) => {
      answer(response, [book, { ...book, id: 2 }]);
    });
    const { stdout } = await session.run('shelflist list --limit 1 | cut -f 1', {
      env: { ...env, SHELFLIST_URL: server.url },
    });
    assert.equal(stdout, '1\n');
  });

  test('a query to an older service is an error with advice', async (context) => {
    const server = await startStranger(context, (_, response) => {
      response.writeHead(400).end('{"status":400,"message":"Invalid query","data":null}');
    });
    const run = (options: string[]) =>
      session.run(['list', ...options], { env: { ...env, SHELFLIST_URL: server.url } });
    for (const options of [['emma'], ['--limit', '1'], ['--count'], ['--sort', 'year']]) {
      const { code, stdout, stderr } = await run(options);
      assert.match(
        stderr,
        /^shelflist: the service refuses the query: .* or the service is older than the client/,
      );
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    }
  });
});
