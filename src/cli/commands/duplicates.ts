import { Option, type Command } from 'commander';
import type { Book } from '../../catalogue/book.ts';
import { duplicateLevels, type DuplicateLevel } from '../../catalogue/duplicates.ts';
import { readPages, type Client } from '../../client/client.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { counted, notice, paragraph, programName, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { bookColumns, writeGroups, noteEmpty, type OutputOptions } from '../ui/records.ts';
import { whenComputed } from '../ui/when-computed.ts';

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
Examples:
  $ shelflist duplicates
  $ shelflist duplicates --level typo --format csv
  $ shelflist duplicates --level year --json --url https://books.example.org --username ada`;

interface DuplicatesOptions extends SessionOptions, OutputOptions {
  level: DuplicateLevel;
}

export function defineDuplicates(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .addOption(
      new Option('--level <level>', 'how similar books must be').choices(duplicateLevels).default('same'),
    )
    .addHelpText('after', help)
    .action((options: DuplicatesOptions) => listDuplicates(io, options));
}

async function listDuplicates(io: Io, options: DuplicatesOptions): Promise<void> {
  const seen = { count: 0, example: '' };
  await withSession(io, options, (client) =>
    writeGroups(io, bookColumns, watch(allGroups(io, client, options.level), seen), options),
  );
  const more = options.level === 'same' ? '; --level year and --level typo find less similar books' : '';
  noteEmpty(io, seen.count, options, `no duplicates${more}`);
  if (seen.count > 0 && io.stdout.isTTY && !options.json)
    notice(
      io,
      `${counted(seen.count, 'group')}; to keep the first book of a group: ${programName(io)} merge ${seen.example}`,
    );
}

/** The number of groups on a page. */
const pageSize = 100;

function allGroups(io: Io, client: Client, level: DuplicateLevel): AsyncGenerator<Book[]> {
  return readPages(async ({ after }) => {
    const query = { level, limit: pageSize, ...(after !== undefined && { after }) };
    const { groups: items, next } = await whenComputed(io, 'comparing the books', (signal) =>
      client.duplicates(query, { signal }),
    );
    return { items, next };
  });
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
