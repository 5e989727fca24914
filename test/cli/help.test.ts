import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, describe, test } from 'node:test';
import type { Command, Option } from 'commander';
import { fieldNames } from '../../src/catalogue/fields.ts';
import { exitStatuses } from '../../src/cli/program/main.ts';
import { createProgram } from '../../src/cli/program/program.ts';
import { run, shelflist, titleOf, type Command as CommandLine } from '../support/cli.ts';
import { temporaryFolder } from '../support/temp.ts';

const cwd = await temporaryFolder({ after });
const topics = ['exit-codes', 'environment', 'formats', 'columns'];

/** The program with every command defined, as if for completion. */
async function define(): Promise<Command> {
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    directory: cwd,
  };
  return createProgram(['completion'], io);
}

/** The words after `shelflist` that name a command. */
function wordsOf(command: Command): string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : [];
}

const program = await define();
const commands = [program, ...program.commands.flatMap((each) => [each, ...each.commands])];

async function helpOf(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await shelflist(args, { cwd });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
}

/** Every text, by the name of its file and with the command line that shows it. */
const texts = new Map<string, { commandLine: string; text: string }>();
for (const words of [...commands.map(wordsOf).map((each) => [...each, '--help']), ...topics.map(helpTopic)]) {
  const name = words.filter((word) => word !== '--help').join('-') || 'shelflist';
  const commandLine = ['shelflist', ...words].join(' ');
  texts.set(name, { commandLine, text: await helpOf(words) });
}

function helpTopic(topic: string): string[] {
  return ['help', topic];
}

describe('each help text equals its snapshot (UPDATE_SNAPSHOTS=1 updates it)', () => {
  const folder = join(import.meta.dirname, 'help');
  for (const [name, { commandLine, text }] of texts) {
    test(commandLine, async () => {
      const file = join(folder, `${name}.txt`);
      if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(file, text);
      assert.ok(existsSync(file), `${file} is missing; UPDATE_SNAPSHOTS=1 writes it`);
      assert.equal(text, await readFile(file, 'utf8'));
    });
  }

  test('every snapshot belongs to an existing command', () => {
    const names = [...texts.keys()].map((name) => `${name}.txt`);
    assert.deepEqual(readdirSync(folder).sort(), names.sort());
  });
});

describe('help NAME is NAME --help', () => {
  for (const command of program.commands) {
    test(command.name(), async () => {
      assert.equal(await helpOf(['help', command.name()]), texts.get(command.name())?.text);
    });
  }

  test('help without a name shows the help of the program', async () => {
    assert.equal(await helpOf(['help']), texts.get('shelflist')?.text);
  });
});

/** The command lines that a text shows after `$ `, without a trailing remark. */
function examplesOf(text: string): string[] {
  return [...text.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line.replace(/ {2,}\S.*$/, ''));
}

/** The words of each call of `shelflist` on a command line, as a shell cuts them. */
function callsOf(line: string): string[][] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain = '']) => double ?? single ?? plain,
  );
  const calls: string[][] = [];
  let call: string[] | undefined;
  for (const word of words) {
    if (/^(&&|\|\|?|;|<|>)$/.test(word)) call = undefined;
    else if (call) call.push(word);
    else if (word === 'shelflist') calls.push((call = []));
  }
  return calls;
}

/** Follows the words to the command that they name, and takes its options off. */
async function parse(words: readonly string[]) {
  let command = await define();
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (next === undefined) break;
    command = next;
    rest = rest.slice(1);
  }
  return { command, ...command.parseOptions(rest) };
}

/** Their options show how those of any further field are used. */
const shownFields = ['title', 'author', 'year'];
const furtherFields = fieldNames.filter((name) => !shownFields.includes(name));

function needsExample(option: Option): boolean {
  const words = option.name().split('-');
  return !furtherFields.some((name) => words.includes(name));
}

describe('the examples', () => {
  for (const [name, { text }] of texts) {
    for (const example of examplesOf(text)) {
      test(`${name}: ${example}`, async () => {
        const calls = callsOf(example);
        assert.ok(calls.length > 0, 'it runs shelflist');
        for (const words of calls) {
          const { command, operands, unknown } = await parse(words);
          assert.deepEqual(unknown, [], 'options that do not exist');
          assert.notEqual(command.name(), 'shelflist', `command ${words[0] ?? ''} not found`);
          assert.equal(command.commands.length, 0, `${command.name()} needs a command of its own`);
          const { registeredArguments } = command;
          const needed = registeredArguments.filter(({ required }) => required).length;
          assert.ok(operands.length >= needed, 'an argument is missing');
          const most = registeredArguments.at(-1)?.variadic ? Infinity : registeredArguments.length;
          assert.ok(operands.length <= most, 'there are arguments too many');
        }
      });
    }
  }

  for (const command of commands.filter((each) => each.parent)) {
    const words = wordsOf(command);
    test(`every option of ${words.join(' ')} occurs in one of them`, async () => {
      const shown = new Set<string>();
      for (const example of examplesOf(texts.get(words.join('-'))?.text ?? '')) {
        for (const call of callsOf(example)) {
          const { command: called } = await parse(call);
          if (wordsOf(called).join() !== words.join()) continue;
          for (const option of called.options) {
            if (called.getOptionValueSource(option.attributeName()) === 'cli') shown.add(option.flags);
          }
        }
      }
      const needed = command.options.filter(needsExample).map(({ flags }) => flags);
      assert.deepEqual(
        needed.filter((flags) => !shown.has(flags)),
        [],
      );
    });
  }
});

test('help exit-codes names every exit status that an error can have, and 0 and 2', () => {
  const possible = Object.values(exitStatuses);
  const named = [...(texts.get('help-exit-codes')?.text ?? '').matchAll(/^ {2}(\d+) {2,}\S/gm)];
  assert.deepEqual(
    named.map(([, status]) => Number(status)),
    [...new Set([0, 2, ...possible])].sort((a, b) => a - b),
  );
});

test('the topics are those that help lists', () => {
  assert.match(texts.get('help')?.text ?? '', new RegExp(`\nTopics: ${topics.join(', ')}\n`));
});

describe('help with --json', () => {
  const table: [commandLine: CommandLine, about: string, name: string][] = [
    [['help', '--json'], 'shelflist', 'shelflist'],
    [['help', 'list', '--json'], 'list', 'list'],
    [['help', '--json', 'config'], 'config', 'config'],
    [['help', 'formats', '--json'], 'formats', 'help-formats'],
  ];
  for (const [commandLine, about, name] of table) {
    test(titleOf(commandLine), async () => {
      const { code, stdout, stderr } = await run(commandLine, { cwd });
      assert.deepEqual(JSON.parse(stdout), { about, text: texts.get(name)?.text });
      assert.match(stdout, /^.+\n$/);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    });
  }

  test('shelflist help nowhere --json', async () => {
    const { code, stdout, stderr } = await shelflist(['help', 'nowhere', '--json'], { cwd });
    assert.deepEqual(JSON.parse(stderr), {
      error: { code: 'usage', message: "unknown command 'nowhere'; see `shelflist --help`" },
    });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
});

test('NAME --help --json is the text all the same', async () => {
  assert.equal(await helpOf(['list', '--help', '--json']), texts.get('list')?.text);
});
