import type { Command } from 'commander';
import { findCandidates } from './candidates.ts';
import type { Io } from '../../io.ts';
import { write } from '../../ui/write.ts';

const help = `
Called by the scripts that \`shelflist completion\` prints.

Examples:
  $ shelflist complete -- list --so
  $ shelflist complete --last li`;

export function defineComplete(command: Command, io: Io): void {
  command
    .argument('[words...]', 'the words on the command line, up to the cursor')
    .option('--last <word>', 'the last word, if it is not among them')
    .addHelpText('after', help)
    .action(async (words: string[], { last }: { last?: string }) => {
      const all = last === undefined ? words : [...words, last];
      const candidates = findCandidates(command.parent ?? command, all);
      await write(io, candidates.map(({ value, about }) => `${value}${about && `\t${about}`}\n`).join(''));
    });
}
