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
  const table: {
    commandLine: Command;
    env?: Record<string, string>;
    code: number;
    stdout: RegExp;
    stderr: RegExp;
  }[] = [
    {
      commandLine: ['--version'],
      code: 0,
      stdout: new RegExp(`^${version.replaceAll('.', '\\.')}\n$`),
      stderr: nothing,
    },
    { commandLine: ['-V'], code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: nothing },
    { commandLine: ['--help'], code: 0, stdout: usage, stderr: nothing },
    { commandLine: ['help'], code: 0, stdout: usage, stderr: nothing },
    {
      commandLine: ['list', '--help'],
      code: 0,
      stdout: /^Usage: shelflist list\|ls \[options\] \[books...\]\n[^]+\nExamples:\n/,
      stderr: nothing,
    },
    { commandLine: ['help', 'list'], code: 0, stdout: /^Usage: shelflist list/, stderr: nothing },
    { commandLine: ['help', 'ls'], code: 0, stdout: /^Usage: shelflist list/, stderr: nothing },
    { commandLine: ['show', '1'], code: 0, stdout: /^1\tEmma/, stderr: nothing },
    { commandLine: ['get', '1'], code: 0, stdout: /^1\tEmma\tJane Austen\t1815\n$/, stderr: nothing },
    {
      commandLine: ['init'],
      code: 1,
      stdout: nothing,
      stderr: /^shelflist: .+\.env exists already; it was not changed\n$/,
    },
    {
      commandLine: ['import', 'gone.csv'],
      code: 1,
      stdout: nothing,
      stderr: /^shelflist: cannot read gone\.csv: no such file\n$/,
    },
    {
      commandLine: 'shelflist list > /dev/full',
      code: 1,
      stdout: nothing,
      stderr: /^shelflist: cannot write to standard output \(ENOSPC\)\n$/,
    },
    {
      commandLine: 'shelflist --help > /dev/full',
      code: 1,
      stdout: nothing,
      stderr: /^shelflist: cannot write to standard output \(ENOSPC\)\n$/,
    },
    { commandLine: [], code: 2, stdout: nothing, stderr: usage },
    {
      commandLine: ['lst'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown command 'lst': did you mean one of list, ls\?\n$/,
    },
    {
      commandLine: ['search', 'emma'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown command 'search': to find books, use `shelflist list WORDS`\n$/,
    },
    {
      commandLine: ['find', 'emma'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown command 'find': to find books, /,
    },
    {
      commandLine: ['frobnicate'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown command 'frobnicate'; see `shelflist --help`\n$/,
    },
    {
      commandLine: ['help', 'frobnicate'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown command 'frobnicate'; see `shelflist --help`\n$/,
    },
    {
      commandLine: ['add', '--bad'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown option '--bad'; see `shelflist add --help`\n$/,
    },
    {
      commandLine: ['add', '--bad'],
      env: { npm_execpath: 'x' },
      code: 2,
      stdout: nothing,
      stderr: /; see `npx --no-install shelflist add --help`\n$/,
    },
    {
      commandLine: ['list'],
      env: { npm_execpath: 'x', SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
      code: 5,
      stdout: nothing,
      stderr: /; start the service with `npx --no-install shelflist serve`, /,
    },
    {
      commandLine: ['list', '-u', 'bob'],
      env: { npm_execpath: 'x' },
      code: 4,
      stdout: nothing,
      stderr: /; run `npx --no-install shelflist login --username bob`\n$/,
    },
    {
      commandLine: ['list', '--jsn'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown option '--jsn': did you mean --json\?\n$/,
    },
    {
      commandLine: ['status', 'more'],
      code: 2,
      stdout: nothing,
      stderr:
        /^shelflist: too many arguments: expected 0, got 1; see `shelflist status --help`; did you mean --username\?\n$/,
    },
    {
      commandLine: ['add', 'Persuasion'],
      code: 2,
      stdout: nothing,
      stderr:
        /^shelflist: too many arguments: expected 0, got 1; see `shelflist add --help`; did you mean --title\?\n$/,
    },
    {
      commandLine: ['login', 'http://127.0.0.1:1'],
      code: 2,
      stdout: nothing,
      stderr: /; did you mean --url\?\n$/,
    },
    { commandLine: ['serve', '8081'], code: 2, stdout: nothing, stderr: /; did you mean --port\?\n$/ },
    {
      commandLine: ['list', '--order', '-year'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown option '--order': did you mean --sort\?\n$/,
    },
    { commandLine: ['list', 'nobody', '--quiet'], code: 0, stdout: nothing, stderr: nothing },
    {
      commandLine: ['get', '99', '-q'],
      code: 3,
      stdout: nothing,
      stderr: /^shelflist: book 99 not found\n$/,
    },
    {
      commandLine: ['list', '-u', 'bob', '--url', 'http://127.0.0.1:1'],
      code: 5,
      stdout: nothing,
      stderr: /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there/,
    },
    {
      commandLine: ['get'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: missing argument <id>; see `shelflist get --help`\n$/,
    },
    {
      commandLine: ['get', 'x'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: invalid <id> 'x': expected an id from 1 to 2\^53-1, or a range such as 3-7\n$/,
    },
    {
      commandLine: ['list', '--limit', '1 is invalid. x'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: invalid --limit '1 is invalid. x': expected a whole number from 1 to 2\^53-1\n$/,
    },
    {
      commandLine: ['list', '-u'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: missing value of --username: expected --username <name>\n$/,
    },
    {
      commandLine: ['suggest', 'x'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: invalid <field> 'x': expected one of title, author\n$/,
    },
    {
      commandLine: ['login', '--password=secret'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown option '--password'; see `shelflist login/,
    },
    {
      commandLine: ['login', "--password=sec'ret"],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown option '--password'; see `shelflist login/,
    },
    {
      commandLine: ['login', '-psecret'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: unknown option '-p'; see `shelflist login/,
    },
    {
      commandLine: ['list', '--url', 'ftp://x'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: the address of a service starts with http/,
    },
    {
      commandLine: ['list', '--url', 'http://a:pw@x'],
      code: 2,
      stdout: nothing,
      stderr: /^shelflist: the address of a service must not contain a user/,
    },
    { commandLine: ['get', '99'], code: 3, stdout: nothing, stderr: /^shelflist: book 99 not found\n$/ },
    {
      commandLine: ['list'],
      env: { SHELFLIST_TOKEN: 'x' },
      code: 4,
      stdout: nothing,
      stderr: /^shelflist: http.+ refuses the token in SHELFLIST_TOKEN/,
    },
    {
      commandLine: ['list', '-u', 'bob'],
      code: 4,
      stdout: nothing,
      stderr: /^shelflist: not logged in to .+; run `shelflist login --username bob`\n$/,
    },
    {
      commandLine: ['list'],
      env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
      code: 5,
      stdout: nothing,
      stderr: /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there; start the service/,
    },
    { commandLine: 'shelflist list 2> /dev/full', code: 0, stdout: /^1\t/, stderr: nothing },
    { commandLine: 'shelflist get 99 2> /dev/full', code: 3, stdout: nothing, stderr: nothing },
  ];
  for (const { commandLine, env, code, stdout, stderr } of table) {
    test(`${titleOf(commandLine, env)}: ${code}`, async () => {
      const outcome = await session.run(commandLine, { env });
      assert.match(outcome.stderr, stderr);
      assert.match(outcome.stdout, stdout);
      assert.equal(outcome.code, code);
    });
  }
});

describe('with --json an error is one line of JSON on standard error', () => {
  const table: {
    commandLine: Command;
    env?: Record<string, string>;
    exit: number;
    code: string;
    message: RegExp;
  }[] = [
    {
      commandLine: ['import', 'gone.csv', '--json'],
      exit: 1,
      code: 'failed',
      message: /^cannot read gone\.csv: no such file$/,
    },
    {
      commandLine: ['list', '--json', '--bad'],
      exit: 2,
      code: 'usage',
      message: /^unknown option '--bad'; see `shelflist list --help`$/,
    },
    {
      commandLine: ['config', '--json'],
      exit: 2,
      code: 'usage',
      message: /^unknown option '--json'; see `shelflist config --help`$/,
    },
    { commandLine: ['lst', '--json'], exit: 2, code: 'usage', message: /^unknown command 'lst'/ },
    {
      commandLine: ['search', '--json'],
      exit: 2,
      code: 'usage',
      message: /^unknown command 'search': to find books, /,
    },
    {
      commandLine: ['get', 'x', '--json'],
      exit: 2,
      code: 'usage',
      message: /^invalid <id> 'x': expected an id from 1 to 2\^53-1, or a range such as 3-7$/,
    },
    {
      commandLine: ['add', '--json'],
      exit: 2,
      code: 'usage',
      message: /^name at least one of --title, --author and --year$/,
    },
    { commandLine: ['get', '99', '--json'], exit: 3, code: 'book_not_found', message: /^book 99 not found$/ },
    {
      commandLine: ['list', '--json', '-u', 'bob'],
      exit: 4,
      code: 'not_logged_in',
      message: /^not logged in to /,
    },
    {
      commandLine: ['list', '--json'],
      env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
      exit: 5,
      code: 'unreachable',
      message: /^cannot reach /,
    },
  ];
  for (const { commandLine, env, exit, code, message } of table) {
    test(`${titleOf(commandLine, env)}: ${code}`, async () => {
      const outcome = await session.run(commandLine, { env });
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
  const { stderr } = await session.run(['list'], {
    env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: server.url },
  });
  assert.equal(stderr, 'shelflist: the service answered 418: a [2Jb c\nd (try again in 7 s)\n');
});
