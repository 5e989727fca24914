import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { titleOf, type Command } from '../support/cli.ts';
import { startSession, startStranger } from '../support/session.ts';

const manifest = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

const session = await startSession({ after });
await session.run(['add', '--title', 'Emma', '--author', 'Jane Austen', '--year', '1815']);

const nothing = /^$/;
const usage = /^Usage: shelflist \[options\] \[command\]\n[^]+\nTo start:\n[^]+\nMore:\n/;

describe('the output and exit status of a command line', () => {
  const table: [commandLine: Command, code: number, stdout: RegExp, stderr: RegExp][] = [
    [['--version'], 0, new RegExp(`^${version.replaceAll('.', '\\.')}\n$`), nothing],
    [['-V'], 0, /^\d+\.\d+\.\d+\n$/, nothing],
    [['--help'], 0, usage, nothing],
    [['help'], 0, usage, nothing],
    [['list', '--help'], 0, /^Usage: shelflist list \[options\] \[words...\]\n[^]+\nExamples:\n/, nothing],
    [['help', 'list'], 0, /^Usage: shelflist list/, nothing],
    [['get', '1'], 0, /^1\tEmma\tJane Austen\t1815\n$/, nothing],
    [['init'], 1, nothing, /^shelflist: .+\.env exists already; it was not changed\n$/],
    [['import', 'gone.csv'], 1, nothing, /^shelflist: cannot read gone\.csv: no such file\n$/],
    ['shelflist list > /dev/full', 1, nothing, /^shelflist: cannot write to standard output \(ENOSPC\)\n$/],
    ['shelflist --help > /dev/full', 1, nothing, /^shelflist: cannot write to standard output \(ENOSPC\)\n$/],
    [[], 2, nothing, usage],
    [['lst'], 2, nothing, /^shelflist: unknown command 'lst': did you mean list\?\n$/],
    [
      ['search', 'emma'],
      2,
      nothing,
      /^shelflist: unknown command 'search': to find books, use `shelflist list WORDS`\n$/,
    ],
    [['find', 'emma'], 2, nothing, /^shelflist: unknown command 'find': to find books, /],
    [['frobnicate'], 2, nothing, /^shelflist: unknown command 'frobnicate'; see `shelflist --help`\n$/],
    [
      ['help', 'frobnicate'],
      2,
      nothing,
      /^shelflist: unknown command 'frobnicate'; see `shelflist --help`\n$/,
    ],
    [['add', '--bad'], 2, nothing, /^shelflist: unknown option '--bad'; see `shelflist add --help`\n$/],
    ['npm_execpath=x shelflist add --bad', 2, nothing, /; see `npx --no-install shelflist add --help`\n$/],
    [
      'npm_execpath=x SHELFLIST_TOKEN=x SHELFLIST_URL=http://127.0.0.1:1 shelflist list',
      5,
      nothing,
      /; start the service with `npx --no-install shelflist serve`, /,
    ],
    [
      'npm_execpath=x shelflist list -u bob',
      4,
      nothing,
      /; run `npx --no-install shelflist login --username bob`\n$/,
    ],
    [['list', '--jsn'], 2, nothing, /^shelflist: unknown option '--jsn': did you mean --json\?\n$/],
    [
      ['status', 'more'],
      2,
      nothing,
      /^shelflist: too many arguments: expected 0, got 1; see `shelflist status --help`\n$/,
    ],
    [
      ['add', 'Persuasion'],
      2,
      nothing,
      /^shelflist: too many arguments: expected 0, got 1; name the fields, such as --title; see `shelflist add --help`\n$/,
    ],
    [['get'], 2, nothing, /^shelflist: missing argument <id>; see `shelflist get --help`\n$/],
    [['get', 'x'], 2, nothing, /^shelflist: invalid <id> 'x': expected a whole number from 1 to 2\^53-1\n$/],
    [
      ['list', '--limit', '1 is invalid. x'],
      2,
      nothing,
      /^shelflist: invalid --limit '1 is invalid. x': expected a whole number from 1 to 2\^53-1\n$/,
    ],
    [['list', '-u'], 2, nothing, /^shelflist: missing value of --username: expected --username <name>\n$/],
    [['suggest', 'x'], 2, nothing, /^shelflist: invalid <field> 'x': expected one of title, author\n$/],
    [
      ['login', '--password=secret'],
      2,
      nothing,
      /^shelflist: unknown option '--password'; see `shelflist login/,
    ],
    [['list', '--url', 'ftp://x'], 2, nothing, /^shelflist: the address of a service starts with http/],
    [
      ['list', '--url', 'http://a:pw@x'],
      2,
      nothing,
      /^shelflist: the address of a service must not contain a user/,
    ],
    [['get', '99'], 3, nothing, /^shelflist: book 99 not found\n$/],
    [
      'SHELFLIST_TOKEN=x shelflist list',
      4,
      nothing,
      /^shelflist: http.+ refuses the token in SHELFLIST_TOKEN/,
    ],
    [
      ['list', '-u', 'bob'],
      4,
      nothing,
      /^shelflist: not logged in to .+; run `shelflist login --username bob`\n$/,
    ],
    [
      'SHELFLIST_TOKEN=x SHELFLIST_URL=http://127.0.0.1:1 shelflist list',
      5,
      nothing,
      /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there; start the service/,
    ],
    ['shelflist list 2> /dev/full', 0, /^1\t/, nothing],
    ['shelflist get 99 2> /dev/full', 3, nothing, nothing],
  ];
  for (const [commandLine, code, stdout, stderr] of table) {
    test(`${titleOf(commandLine)}: ${code}`, async () => {
      const outcome = await session.run(commandLine);
      assert.match(outcome.stderr, stderr);
      assert.match(outcome.stdout, stdout);
      assert.equal(outcome.code, code);
    });
  }
});

describe('with --json an error is one line of JSON on standard error', () => {
  const table: [commandLine: Command, exit: number, code: string, message: RegExp][] = [
    [['import', 'gone.csv', '--json'], 1, 'failed', /^cannot read gone\.csv: no such file$/],
    [['list', '--json', '--bad'], 2, 'usage', /^unknown option '--bad'; see `shelflist list --help`$/],
    [['config', '--json'], 2, 'usage', /^unknown option '--json'; see `shelflist config --help`$/],
    [['lst', '--json'], 2, 'usage', /^unknown command 'lst'/],
    [['search', '--json'], 2, 'usage', /^unknown command 'search': to find books, /],
    [['get', 'x', '--json'], 2, 'usage', /^invalid <id> 'x': expected a whole number from 1 to 2\^53-1$/],
    [['add', '--json'], 2, 'usage', /^name at least one of --title, --author and --year$/],
    [['get', '99', '--json'], 3, 'book_not_found', /^book 99 not found$/],
    [['list', '--json', '-u', 'bob'], 4, 'not_logged_in', /^not logged in to /],
    [
      'SHELFLIST_TOKEN=x SHELFLIST_URL=http://127.0.0.1:1 shelflist list --json',
      5,
      'unreachable',
      /^cannot reach /,
    ],
  ];
  for (const [commandLine, exit, code, message] of table) {
    test(`${titleOf(commandLine)}: ${code}`, async () => {
      const outcome = await session.run(commandLine);
      assert.match(outcome.stderr, /^.+\n$/);
      const { error } = JSON.parse(outcome.stderr) as { error: { code: string; message: string } };
      assert.deepEqual(Object.keys(error), ['code', 'message']);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, exit);
    });
  }
});

test('a reader that closes the pipe early ends a command quietly', async () => {
  // More than a pipe holds (64 KiB), so that the writing meets the closed pipe.
  await session.run(`shelflist import - < <(echo title; yes "$(printf 'long%.0s' {1..500})" | head -100)`);
  const { stdout, stderr, code } = await session.run('set -o pipefail; shelflist list | head -1');
  assert.deepEqual({ stdout, stderr, code }, { stdout: '1\tEmma\tJane Austen\t1815\n', stderr: '', code: 0 });
});

test('control characters in a message of the service are replaced, and Retry-After is shown', async (context) => {
  const server = await startStranger(context, (_, response) => {
    response.writeHead(418, { 'Retry-After': '7' });
    response.end(JSON.stringify({ status: 418, message: 'a\u001b[2Jb\u009bc\nd', data: null }));
  });
  const { stderr } = await session.run(`SHELFLIST_TOKEN=x SHELFLIST_URL=${server.url} shelflist list`);
  assert.equal(stderr, 'shelflist: the server answered 418: a [2Jb c\nd (try again in 7 s)\n');
});
