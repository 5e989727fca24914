import type { Command } from 'commander';
import type { EarlierState } from '../../catalogue/changes.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import type { Client } from '../../client/client.ts';
import { eachAtOnce } from '../../lib/semaphore.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { collectIds, isSingle, listHistoricalIds, maxInFlight, readIds, type IdRange } from '../ids.ts';
import { paragraph, type Io } from '../io.ts';
import { fieldColumns, noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
${paragraph(
  'Shows the states of books before their changes, newest first, with the time and kind of each change. Deleted books have a ' +
    'history, too. Of a range, only the books that have one are shown. To go back: shelflist revert ID --to VERSION',
)}
Examples:
  $ shelflist history 7
  $ shelflist history 7 20-29 --format csv
  $ shelflist trash --format csv | cut -d , -f 1 | tail -n +2 | shelflist history -
  $ shelflist history 7 --json --url https://books.example.org --username ada`;

type Row = Omit<EarlierState, 'at'> & { id: number; at: string };

const columns: readonly Column<Row>[] = [
  { name: 'version', style: 'cyan' },
  { name: 'at', isTime: true },
  { name: 'change' },
  ...fieldColumns,
  { name: 'batch', weight: 2 },
  { name: 'id', align: 'right' },
];

export function defineHistory(command: Command, io: Io): void {
  const names = ['version', 'at', 'change', ...fieldNames, 'batch', 'id'];
  addFormatOptions(addServiceOptions(command), names)
    .argument(
      '<id...>',
      'the ids of the books, or ranges (3-7); - reads them from standard input',
      collectIds,
    )
    .addHelpText('after', help)
    .action(async (words: string[], options: SessionOptions & OutputOptions) => {
      const ranges = await readIds(io, words);
      const count = await withSession(io, options, async (client) =>
        writeRecords(io, columns, rowsOf(client, ranges, await listHistoricalIds(client, ranges)), options),
      );
      const [only] = ranges;
      const what =
        ranges.length === 1 && only && isSingle(only) ? `book ${only.first} has` : 'these books have';
      noteEmpty(io, count, options, `${what} no earlier state`);
    });
}

/** @throws {ShelflistError} `book_not_found`: a single id has neither a book nor a history. */
async function* rowsOf(
  client: Client,
  ranges: readonly IdRange[],
  ids: readonly number[],
): AsyncGenerator<Row, void, undefined> {
  const named = new Set(ranges.filter(isSingle).map(({ first }) => first));
  for (let i = 0; i < ids.length; i += maxInFlight) {
    const some = ids.slice(i, i + maxInFlight);
    const found = new Map<number, readonly EarlierState[]>();
    await eachAtOnce(some, maxInFlight, async (id) => {
      const states = await client.history(id).catch((error: unknown) => {
        if (!hasCode(error, 'book_not_found')) throw error;
        if (named.has(id)) throw new ShelflistError('book_not_found', { message: `book ${id} not found` });
        return [];
      });
      found.set(id, states);
    });
    for (const id of some)
      for (const state of found.get(id) ?? []) yield { ...state, at: state.at.toISOString(), id };
  }
}
