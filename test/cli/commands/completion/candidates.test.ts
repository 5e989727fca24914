import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Argument, Command, Option } from 'commander';
import { findCandidates } from '../../../../src/cli/commands/complete.ts';

/** A program with everything that a command can have. */
const program = new Command('p').description('p').option('-V, --version', 'its version');
program
  .command('paint')
  .description('paint it')
  .addArgument(new Argument('<colour>').choices(['red', 'reddish', 'blue']))
  .addOption(new Option('-s, --size <size>', 'how big').choices(['s', 'm', 'l']))
  .addOption(new Option('--shade [shade]', 'how dark').choices(['light', 'dark']))
  .addOption(new Option('--secret', 'not shown').hideHelp())
  .option('--name <name>', 'whose');
program.command('print').description('print it');
program.command('hidden', { hidden: true });
const group = program.command('group').description('a group').helpCommand(false);
group.command('first').description('the first').option('--deep', 'how deep');

describe('candidates for the last word', () => {
  const table: [words: string[], values: string[]][] = [
    [[], ['paint', 'print', 'group', 'help']],
    [[''], ['paint', 'print', 'group', 'help']],
    [['p'], ['paint', 'print']],
    [['hid'], []],
    [['-'], ['--version', '--help']],
    [
      ['paint', ''],
      ['red', 'reddish', 'blue'],
    ],
    [
      ['paint', 'red'],
      ['red', 'reddish'],
    ],
    [
      ['paint', '--s'],
      ['--size', '--shade'],
    ],
    [
      ['paint', '--size', ''],
      ['s', 'm', 'l'],
    ],
    [['paint', '-s', 'm'], ['m']],
    [
      ['paint', '--shade', ''],
      ['light', 'dark'],
    ],
    [['paint', '--name', ''], []],
    [['paint', '--name', '-'], []],
    [['paint', '--size=m'], ['--size=m']],
    [['paint', '--size', '=', 'm'], ['m']],
    [
      ['paint', '--size', '='],
      ['s', 'm', 'l'],
    ],
    [['paint', '--gone='], []],
    [['group', ''], ['first']],
    [
      ['group', 'first', '-'],
      ['--deep', '--help'],
    ],
  ];
  for (const [words, values] of table) {
    test(JSON.stringify(words), () => {
      assert.deepEqual(
        findCandidates(program, words).map(({ value }) => value),
        values,
      );
    });
  }

  test('candidates have descriptions', () => {
    assert.deepEqual(findCandidates(program, ['pr']), [{ value: 'print', about: 'print it' }]);
    assert.deepEqual(findCandidates(program, ['paint', '--na']), [{ value: '--name', about: 'whose' }]);
  });

  test('findCandidates does not change its argument', () => {
    const words = ['paint', '--size', '=', 'm'];
    findCandidates(program, words);
    assert.deepEqual(words, ['paint', '--size', '=', 'm']);
  });
});
