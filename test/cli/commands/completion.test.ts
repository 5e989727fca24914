import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { PassThrough } from 'node:stream';
import { createProgram } from '../../../src/cli/program/program.ts';
import { shelflist } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

const cwd = await temporaryFolder({ after });
const scriptFor = async (shell: string) => {
  const { code, stdout, stderr } = await shelflist(['completion', shell], { cwd });
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
};
const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
const { commands } = await createProgram(['completion'], { ...io, env: {}, directory: cwd });

describe('each script has every command and every option', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    test(shell, async () => {
      const script = await scriptFor(shell);
      for (const command of commands)
        for (const word of [
          command.name(),
          ...command.aliases(),
          ...command.options.map(({ long }) => long ?? ''),
        ]) {
          const text = shell === 'fish' ? word.replace(/^--/, '-l ') : word;
          assert.match(script, new RegExp(`[' |]${text}[' |)]`), `${command.name()} ${word}`);
        }
    });

  test('another shell is a usage error', async () => {
    const { code, stderr } = await shelflist(['completion', 'tcsh'], { cwd });
    assert.match(stderr, /: expected one of bash, zsh, fish, powershell\n$/);
    assert.equal(code, 2);
  });
});

describe('bash completes', () => {
  const table: [words: string[], values: string[]][] = [
    [['li'], ['list']],
    [['l'], ['login', 'logout', 'list', 'ls']],
    [
      ['list', '--year'],
      ['--year', '--year-from', '--year-to'],
    ],
    [['ls', '--js'], ['--json']],
    [
      ['undo', '--l'],
      ['--list', '--last', '--limit'],
    ],
    [
      ['config', ''],
      ['show', ...['--width', '--no-pager', '--quiet', '--help', '--json', '--format']],
    ],
    [
      ['help', 'st'],
      ['start', 'status', 'stats'],
    ],
    [['nothing', ''], []],
    [['import', 'boo'], []],
  ];
  for (const [words, values] of table)
    test(`shelflist ${words.join(' ')}`, async () => {
      const line = `COMP_WORDS=(shelflist ${words.map((word) => `'${word}'`).join(' ')})
        COMP_CWORD=${words.length}; _shelflist; printf '%s\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', `${await scriptFor('bash')}\n${line}`], {
        encoding: 'utf8',
      });
      assert.deepEqual([stdout.split('\n').filter(Boolean).sort(), stderr], [values.sort(), '']);
    });
});
