import type { Command } from 'commander';
import { findCandidates } from '../completion/candidates.ts';
import type { Io } from '../io.ts';
import { write } from '../output/records.ts';

export function defineComplete(command: Command, io: Io): void {
  command
    .argument('[words...]', 'what stands on the command line, up to the cursor')
    .action(async (words: string[]) => {
      const candidates = findCandidates(command.parent ?? command, words);
      await write(io, candidates.map(({ value, about }) => `${value}\t${about}\n`).join(''));
    });
}
