import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { program, titleOf, type Command } from '../support/cli.ts';
import { startSession } from '../support/session.ts';
import { noTerminal, terminal } from '../support/terminal.ts';

const session = await startSession({ after });
for (const title of ['Emma', 'Persuasion']) await session.run(['add', '--title', title]);

describe('exit statuses of commands', () => {
  const table: {
    status: number;
    command: Command;
    env?: Record<string, string>;
    stdout: RegExp;
    stderr: RegExp;
  }[] = [
    { status: 0, command: ['get', '1'], stdout: /^1\tEmma\t\t0\n$/, stderr: /^$/ },
    { status: 0, command: ['--version'], stdout: /^\d+\.\d+\.\d+\n$/, stderr: /^$/ },
    {
      status: 1,
      command: ['import', 'gone.csv'],
      stdout: /^$/,
      stderr: /^shelflist: cannot read gone\.csv: no such file\n$/,
    },
    {
      status: 1,
      command: ['init'],
      stdout: /^$/,
      stderr: /^shelflist: .+\.env exists already; it was not changed\n$/,
    },
    { status: 2, command: ['get'], stdout: /^$/, stderr: /^shelflist: missing argument <id>; / },
    {
      status: 2,
      command: ['delete', '1', '2'],
      stdout: /^$/,
      stderr: /^shelflist: deleting 2 books without a terminal needs --yes\n$/,
    },
    { status: 2, command: ['config'], stdout: /^$/, stderr: /^Usage: shelflist config / },
    { status: 3, command: ['get', '99'], stdout: /^$/, stderr: /^shelflist: book 99 not found\n$/ },
    {
      status: 4,
      command: ['list', '-u', 'nobody'],
      stdout: /^$/,
      stderr: /^shelflist: not logged in to .+; run `shelflist login --username nobody`\n$/,
    },
    {
      status: 4,
      command: ['list'],
      env: { SHELFLIST_TOKEN: 'x' },
      stdout: /^$/,
      stderr: /^shelflist: .+ refuses the token in SHELFLIST_TOKEN/,
    },
    {
      status: 5,
      command: ['list'],
      env: { SHELFLIST_TOKEN: 'x', SHELFLIST_URL: 'http://127.0.0.1:1' },
      stdout: /^$/,
      stderr: /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there/,
    },
  ];
  for (const option of [
    ['--port', 'abc'],
    ['--port', '99999'],
    ['--workers', '0'],
  ])
    test(`2: serve ${option.join(' ')}`, async () => {
      const { code, stdout, stderr } = await session.run(['serve', ...option]);
      assert.match(stderr, /^shelflist: invalid --(port|workers) '.+': expected /);
      assert.deepEqual([code, stdout], [2, '']);
    });

  for (const command of ['list', 'stats', 'change'])
    test(`2: ${command} of years that no book can have`, async () => {
      const change = command === 'change' ? ['--to-year', '1', '--yes'] : [];
      const { code, stderr } = await session.run([
        command,
        '--year-from',
        '2000',
        '--year-to',
        '1900',
        ...change,
      ]);
      assert.match(
        stderr,
        /no year is 2000 or later and 1900 or earlier; exchange --year-from and --year-to/,
      );
      assert.equal(code, 2);
    });

  for (const { status, command, env, stdout, stderr } of table) {
    test(`${status}: ${titleOf(command, env)}`, async () => {
      const outcome = await session.run(command, { env });
      assert.match(outcome.stderr, stderr);
      assert.match(outcome.stdout, stdout);
      assert.equal(outcome.code, status);
    });
  }

  test('130: Ctrl-C where it asks', { skip: noTerminal }, async () => {
    const { folder: cwd, service } = session;
    const env = { SHELFLIST_URL: service.url };
    const { code, screen } = await terminal('shelflist delete 1 2', { cwd, env }, [
      ['Delete 2 books? [y/N]', '\x03'],
    ]);
    assert.match(screen, /\nshelflist: nothing was deleted\n$/);
    assert.equal(code, 130);
    assert.equal((await session.run('shelflist list | wc -l')).stdout, '2\n');
  });

  for (const [what, file] of [
    ['standard input', '- < pipe'],
    ['a pipe by its name', 'pipe'],
  ] as const) {
    test(`130: SIGINT while an import waits for ${what}`, async () => {
      // The program itself and not a function: $! is then the process that gets the signal.
      const { code, stdout, stderr } = await session.run(`
        rm -f pipe; mkfifo pipe
        "${process.execPath}" "${program}" import ${file} &
        exec 3> pipe
        printf 'title\\nOf the import\\nB\\nC\\nD' >&3
        for i in {1..200}; do shelflist list | grep -q 'Of the import' && break; done
        kill -INT $!
        timeout 10 tail --pid=$! -f /dev/null || { echo 'it goes on'; kill -KILL $!; }
        wait $!; status=$?
        shelflist list | grep -c 'Of the import'
        shelflist delete --yes $(shelflist list | cut -f 1 | tail -n +3) 2> /dev/null
        exit $status`);
      assert.match(
        stderr,
        /^importing .+\nadded \d books? in .+, left out 0\n(ids: .+\n)?to take this back: .+\nshelflist: interrupted before the end of the file; repeat it with --on-duplicate skip to add the rest\n$/,
      );
      assert.equal(stdout, '1\n');
      assert.equal(code, 130);
    });
  }
});
