import { Option, type Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { duplicateLevels, type DuplicateLevel } from '../../catalogue/duplicate-levels.ts';
import type { Client } from '../../client/client.ts';
import type { Paging } from '../../api/queries.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { counted, notice, paragraph, programName, type Io } from '../io.ts';
import { addPaging, ListPart, type PartOptions } from '../paging.ts';
import {
  addSelection,
  readSelection,
  selectionHelp,
  selectorOf,
  isEverything,
  type SelectionOptions,
} from '../selection.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { bookColumns, writeGroups, noteEmpty, type OutputOptions } from '../ui/records.ts';
import { waitUntilComputed } from '../ui/wait-until-computed.ts';

const help = `
Levels:
  same   all fields are equal, ignoring case, accents, spacing and punctuation
  year   as same, but ignoring the year
  typo   as same, but with at most one typing error in either title or author; a
         year of 0 equals any year

${paragraph(
  'Books with different numbers are different books: Volume 1 and Volume 2, Part I and Part II, Plan A and Plan B. Each book ' +
    'is shown with the number of its group. As JSON, each group is an array. `shelflist merge` keeps one book of a group.',
)}
With a selection, only the groups of these books are shown.

${selectionHelp}
Examples:
  $ shelflist duplicates
  $ shelflist duplicates 7 20-29 --json id,title
  $ shelflist duplicates austen --year-from 1800 --year-to 1899
  $ shelflist duplicates --author "Jane Austen" --title Emma --year 1815
  $ shelflist duplicates --words 1984 --in-author orwell --in-title 84
  $ shelflist duplicates --level typo --format csv
  $ shelflist duplicates --limit 20 --after 412
  $ shelflist duplicates --level year --json --url https://books.example.org --username ada`;

interface DuplicatesOptions extends SessionOptions, OutputOptions, SelectionOptions, PartOptions {
  level: DuplicateLevel;
}

export function defineDuplicates(command: Command, io: Io): void {
  addPaging(addSelection(addFormatOptions(addServiceOptions(command))), 'groups')
    .addOption(
      new Option('--level <level>', 'how similar books must be').choices(duplicateLevels).default('same'),
    )
    .addHelpText('after', help)
    .action((books: string[], options: DuplicatesOptions) => listDuplicates(io, books, options));
}

async function listDuplicates(io: Io, books: readonly string[], options: DuplicatesOptions): Promise<void> {
  const selection = await readSelection(io, books, options);
  const isSelected = selectorOf(selection);
  const hasSelected = isEverything(selection) ? undefined : (group: Book[]) => group.some(isSelected);
  const part = new ListPart(options);
  const seen = { count: 0, example: '' };
  await withSession(io, options, (client) =>
    writeGroups(
      io,
      bookColumns,
      watch(part.read(pagesOf(io, client, options.level), hasSelected), seen),
      options,
    ),
  );
  part.noteMore(io);
  const more = options.level === 'same' ? '; --level year and --level typo find less similar books' : '';
  noteEmpty(
    io,
    seen.count,
    options,
    `no duplicates${isEverything(selection) ? '' : ' of these books'}${more}`,
  );
  if (seen.count > 0 && io.stdout.isTTY && !options.json)
    notice(
      io,
      `${counted(seen.count, 'group')}; to keep the first book of a group: ${programName(io)} merge ${seen.example}`,
    );
}

/** The number of groups on a page. */
const pageSize = 100;

function pagesOf(io: Io, client: Client, level: DuplicateLevel) {
  return ({ limit = pageSize, after }: Paging) => {
    const query = { level, limit: Math.min(limit, pageSize), ...(after !== undefined && { after }) };
    return waitUntilComputed(io, 'comparing the books', (signal) => client.duplicates(query, { signal }));
  };
}

async function* watch(
  groups: AsyncIterable<Book[]>,
  seen: { count: number; example: string },
): AsyncGenerator<Book[]> {
  for await (const group of groups) {
    if (seen.count++ === 0) seen.example = group.map(({ id }) => id).join(' ');
    yield group;
  }
}
