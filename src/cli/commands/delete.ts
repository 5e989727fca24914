import type { Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { createClientCommand, parseIds } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { withSession, type SessionOptions } from '../session.ts';

const help = `
An id is never used again. More than one book is asked about on a terminal, and
needs --yes where there is none.

Examples:
  $ shelflist delete 7
  $ shelflist delete 7 8 9 --yes`;

export function deleteCommand(io: Io): Command {
  return createClientCommand('delete')
    .description('delete books')
    .argument('<id...>', 'the ids of the books', parseIds)
    .option('--yes', 'do not ask')
    .addHelpText('after', help)
    .action(async (ids: number[], options: SessionOptions & { yes?: boolean }) => {
      if (ids.length > 1 && options.yes !== true) await confirm(io, ids.length);
      await withSession(io, options, async (client) => {
        for (const id of ids) {
          await client.delete(id);
          notice(io, `deleted book ${id}`);
        }
      });
    });
}

async function confirm(io: Io, count: number): Promise<void> {
  if (io.stdin.isTTY !== true) {
    throw new ShelflistError('usage', {
      message: `deleting ${count} books needs --yes where nobody can be asked`,
    });
  }
  const { read } = await import('read');
  const answer = await read({
    prompt: `Delete ${count} books? [y/N] `,
    input: io.stdin,
    output: io.stderr,
  }).catch(() => '');
  if (!/^y(es)?$/i.test(answer)) throw new ShelflistError('interrupted', { message: 'nothing was deleted' });
}
