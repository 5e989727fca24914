import type { Command, Option } from 'commander';
import { type Io, write } from '../io.ts';
import { topicNames } from '../topics.ts';

const help = `
Called by the scripts that \`shelflist completion\` prints.

Examples:
  $ shelflist complete -- list --so
  $ shelflist complete --last li`;

export function defineComplete(command: Command, io: Io): void {
  command
    .argument('[words...]', 'the words on the command line, up to the cursor')
    .option('--last <word>', 'the word at the cursor, if it is not among the words')
    .addHelpText('after', help)
    .action(async (words: string[], { last }: { last?: string }) => {
      const all = last === undefined ? words : [...words, last];
      const candidates = findCandidates(command.parent ?? command, all);
      await write(io, candidates.map(({ value, about }) => `${value}${about && `\t${about}`}\n`).join(''));
    });
}

export interface Candidate {
  value: string;
  about: string;
}

/**
 * Finds the candidates for the last word; none where any text or file name is valid.
 *
 * @param program With all of its commands defined.
 */
export function findCandidates(program: Command, words: readonly string[]): Candidate[] {
  const before = joinValues(words);
  const word = before.pop() ?? '';
  const { command, previous, operands } = walk(program, before);
  const [, name, start] = /^(--[^=]+)=(.*)$/.exec(word) ?? [];
  const options = command.createHelp().visibleOptions(command);
  if (name !== undefined && start !== undefined) {
    const prefix = words.at(-2) === '=' || words.at(-1) === '=' ? '' : `${name}=`; // bash has split the option off.
    return choices(options.find((option) => option.long === name)?.argChoices, start, prefix);
  }
  const open = options.find((option) => [option.short, option.long].includes(previous) && takesValue(option));
  if (open) return choices(open.argChoices, word);
  if (word.startsWith('-')) {
    return options
      .map(({ long, description }) => ({ value: long ?? '', about: description }))
      .filter(({ value }) => value.startsWith(word));
  }
  const named = command.name() === 'help' ? program : command; // The arguments of `help` are commands.
  return [
    ...named
      .createHelp()
      .visibleCommands(named)
      .map((each) => ({ value: each.name(), about: each.description() }))
      .filter(({ value }) => value.startsWith(word)),
    ...choices(named === command ? argumentChoices(command, operands) : topicNames, word),
  ];
}

/** The choices of the next argument. */
function argumentChoices(command: Command, operands: number): readonly string[] | undefined {
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  return (all[operands] ?? (last?.variadic ? last : undefined))?.argChoices;
}

/** Joins `--format=csv`, which bash splits into three words. */
function joinValues(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [i, word] of words.entries()) {
    if (word === '=' || words[i - 1] === '=') joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
  }
  return joined;
}

/** Finds the command that the words name, and counts its arguments. */
function walk(
  program: Command,
  words: readonly string[],
): { command: Command; previous: string; operands: number } {
  let command = program;
  let operands = 0;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next) [command, operands] = [next, 0];
    else if (!word.startsWith('-')) operands++;
  }
  return { command, previous: words.at(-1) ?? '', operands };
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function choices(values: readonly string[] | undefined, start: string, prefix = ''): Candidate[] {
  return (values ?? [])
    .filter((value) => value.startsWith(start))
    .map((value) => ({ value: prefix + value, about: '' }));
}
