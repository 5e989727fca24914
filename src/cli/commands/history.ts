import type { Command } from 'commander';
import type { EarlierState } from '../../catalogue/changes.ts';
import { addFormatOptions, addServiceOptions, namingBook, parseIdArgument } from '../arguments.ts';
import type { Io } from '../io.ts';
import { fieldColumns, noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Shows the states of a book before its changes, newest first, with the time and kind of
each change. Deleted books have a history, too. To go back: shelflist revert ID VERSION

Examples:
  $ shelflist history 7
  $ shelflist history 7 --format csv
  $ shelflist history 7 --json --url https://books.example.org --username ada`;

type Row = Omit<EarlierState, 'at'> & { at: string };

export function defineHistory(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('<id>', 'the id of the book', parseIdArgument)
    .addHelpText('after', help)
    .action(async (id: number, options: SessionOptions & OutputOptions) => {
      const states = await withSession(io, options, (client) => namingBook(id, client.history(id)));
      const rows = states.map((state): Row => ({ ...state, at: state.at.toISOString() }));
      const columns: readonly Column<Row>[] = [
        { name: 'version', style: 'cyan' },
        { name: 'at', isTime: true },
        { name: 'change' },
        ...fieldColumns,
        { name: 'batch' },
      ];
      const count = await writeRecords(io, columns, rows, options);
      noteEmpty(io, count, options, `book ${id} has no earlier state`);
    });
}
