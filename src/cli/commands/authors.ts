import { Option, type Command } from 'commander';
import { authorOrders, type AuthorCount, type AuthorOrder } from '../../catalogue/authors.ts';
import type { Book } from '../../catalogue/book.ts';
import { CommandError } from '../command-error.ts';
import { spell } from '../../catalogue/spelling.ts';
import { authorField } from '../../catalogue/statistics.ts';
import { readPages, type Client } from '../../client/client.ts';
import { addFormatOptions, addServiceOptions, parseLimit } from '../arguments.ts';
import { counted, notice, paragraph, programName, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { requireTerminal } from '../ui/batches.ts';
import { changeBooks } from '../ui/change-books.ts';
import {
  noMatch,
  noteEmpty,
  writeGroups,
  writeRecords,
  type Column,
  type OutputOptions,
} from '../ui/records.ts';
import { whenComputed } from '../ui/when-computed.ts';

const help = `
${paragraph(
  'Lists authors with their numbers of books. With words, lists only those whose name has each of them, or a word that ' +
    'begins so. Spellings that a search cannot distinguish count as one author.',
)}
${paragraph(
  '--variants groups spellings that seem to be one name: they differ in case, accents, punctuation, the order of words, ' +
    'initials, or one typing error. --join replaces all other named spellings with the first one. It shows how many books ' +
    'would change, and asks for confirmation. Case, accents and punctuation of the other spellings do not matter. One `shelflist undo` takes all ' +
    'changes back.',
)}
Examples:
  $ shelflist authors
  $ shelflist authors aust --sort -count --limit 10
  $ shelflist authors --sort -count --json | jq -r '.[0].author'
  $ shelflist authors --variants --format csv
  $ shelflist authors --join "Jane Austen" "Austen, Jane" "Jane Austin"
  $ shelflist authors --join Homer Homeros --yes --url https://books.example.org --username ada`;

interface AuthorsOptions extends SessionOptions, OutputOptions {
  sort?: AuthorOrder;
  limit?: number;
  variants?: boolean;
  join?: boolean;
  yes?: boolean;
}

const columns: readonly Column<AuthorCount>[] = [
  { name: 'author', weight: 1 },
  { name: 'count', align: 'right' },
];

export function defineAuthors(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('[words...]', 'words, or their beginnings, in the name; with --join, whole spellings')
    .addOption(
      new Option('--sort <key>', 'the order (default: author); descending with a leading -')
        .choices(authorOrders)
        .conflicts(['variants', 'join']),
    )
    .addOption(
      new Option('--limit <count>', 'the maximum number of authors, or of groups')
        .argParser(parseLimit)
        .conflicts('join'),
    )
    .addOption(
      new Option('--variants', 'list groups of spellings that seem to be one name').conflicts('join'),
    )
    .option('--join', 'replace all other spellings by the first one')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action(async (words: string[], options: AuthorsOptions) => {
      if (options.join === true) await joinAuthors(io, words, options);
      else if (options.variants === true) await listVariants(io, words, options);
      else await listAuthors(io, words, options);
    });
}

async function listAuthors(io: Io, words: readonly string[], options: AuthorsOptions): Promise<void> {
  const { sort, limit } = options;
  const query = { q: words.join(' '), ...(sort !== undefined && { sort }) };
  const count = await withSession(io, options, (client) => {
    const all = readPages(async (page) => {
      const { authors: items, next } = await whenComputed(io, 'counting the authors', (signal) =>
        client.authors({ ...query, ...page }, { signal }),
      );
      return { items, next };
    }, limit);
    return writeRecords(io, columns, all, options);
  });
  noteEmpty(io, count, options, words.length === 0 ? 'no authors' : noMatch(authorField));
}

async function listVariants(io: Io, words: readonly string[], options: AuthorsOptions): Promise<void> {
  const seen: AuthorCount[][] = [];
  await withSession(io, options, (client) => {
    const groups = readPages(async (page) => {
      const { groups: items, next } = await whenComputed(io, 'comparing the authors', (signal) =>
        client.authorVariants({ q: words.join(' '), ...page }, { signal }),
      );
      if (seen.length === 0) seen.push(...items);
      return { items, next };
    }, options.limit);
    return writeGroups(io, columns, groups, options);
  });
  noteEmpty(
    io,
    seen.length,
    options,
    `no author ${words.length === 0 ? '' : 'that matches '}has several spellings`,
  );
  const [first] = seen;
  if (first === undefined || !io.stdout.isTTY || options.json === true) return;
  const names = first.map(({ author }) => JSON.stringify(author)).join(' ');
  notice(io, `to keep the first spelling of a group: ${programName(io)} authors --join ${names}`);
}

async function joinAuthors(io: Io, spellings: readonly string[], options: AuthorsOptions): Promise<void> {
  const [keep, ...others] = spellings;
  if (keep === undefined || keep === '' || others.length === 0)
    throw new CommandError('usage', {
      message:
        '--join needs the spelling to keep, and at least one other: --join "Jane Austen" "Austen, Jane"',
    });
  for (const spelling of others)
    if (spell(spelling) === '')
      throw new CommandError('usage', {
        message: `cannot replace ${JSON.stringify(spelling)}: it selects all books without an author; leave it out`,
      });
  const { yes = false, json = false } = options;
  if (!yes) requireTerminal(io, 'joining authors');
  await withSession(io, options, async (client) => {
    const { books: found, unknown } = await findBooks(client, keep, others);
    for (const author of json ? [] : unknown)
      notice(
        io,
        `no book has the author ${JSON.stringify(author)}; \`${programName(io)} authors --variants\` lists spellings`,
      );
    if (!json) notice(io, `${counted(found.length, 'book')} to change to ${JSON.stringify(keep)}`);
    await changeBooks(io, client, found, { [authorField]: keep }, { yes, json });
  });
}

interface Found {
  /** Each once, except those that have the spelling to keep. */
  readonly books: readonly Book[];
  /** The authors without a book: probably mistyped. */
  readonly unknown: readonly string[];
}

/** The books of all these authors. */
async function findBooks(client: Client, keep: string, others: readonly string[]): Promise<Found> {
  const books = new Map<number, Book>();
  const known = new Set<string>();
  for (const author of others)
    for await (const book of client.iterate({ [authorField]: author })) {
      known.add(author);
      if (book[authorField] !== keep) books.set(book.id, book);
    }
  return { books: [...books.values()], unknown: others.filter((author) => !known.has(author)) };
}
