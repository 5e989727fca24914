import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { program, titleOf, type Command } from '../support/cli.ts';
import { startSession } from '../support/session.ts';
import { noTerminal, terminal } from '../support/terminal.ts';

const session = await startSession({ after });
for (const title of ['Emma', 'Persuasion']) await session.run(['add', '--title', title]);

describe('exit statuses of commands', () => {
  const table: [status: number, command: Command, stdout: RegExp, stderr: RegExp][] = [
    [0, ['get', '1'], /^1\tEmma\t\t0\n$/, /^$/],
    [0, ['--version'], /^\d+\.\d+\.\d+\n$/, /^$/],
    [1, ['import', 'gone.csv'], /^$/, /^shelflist: cannot read gone\.csv: no such file\n$/],
    [1, ['init'], /^$/, /^shelflist: .+\.env exists already; it was not changed\n$/],
    [2, ['get'], /^$/, /^shelflist: missing argument <id>; /],
    [2, ['delete', '1', '2'], /^$/, /^shelflist: deleting 2 books without a terminal needs --yes\n$/],
    [2, ['config'], /^$/, /^Usage: shelflist config /],
    [3, ['get', '99'], /^$/, /^shelflist: book 99 not found\n$/],
    [
      4,
      ['list', '-u', 'nobody'],
      /^$/,
      /^shelflist: not logged in to .+; run `shelflist login --username nobody`\n$/,
    ],
    [4, 'SHELFLIST_TOKEN=x shelflist list', /^$/, /^shelflist: .+ refuses the token in SHELFLIST_TOKEN/],
    [
      5,
      'SHELFLIST_TOKEN=x SHELFLIST_URL=http://127.0.0.1:1 shelflist list',
      /^$/,
      /^shelflist: cannot reach http:\/\/127\.0\.0\.1:1: nothing listens there/,
    ],
  ];
  for (const [status, command, stdout, stderr] of table) {
    test(`${status}: ${titleOf(command)}`, async () => {
      const outcome = await session.run(command);
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
