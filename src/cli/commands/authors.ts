import { authorField } from '../../catalogue/fields.ts';
import { Option, type Command } from 'commander';
import { authorOrders, type AuthorCount, type AuthorOrder } from '../../catalogue/authors.ts';
import { CommandError } from '../command-error.ts';
import { spell } from '../../catalogue/spelling.ts';
import { findSpellings } from '../../client/edits.ts';
import { addDryRun, addFormatOptions, addServiceOptions } from '../arguments.ts';
import { counted, notice, paragraph, programName, type Io } from '../io.ts';
import { addPaging, ListPart, type PartOptions } from '../paging.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { requireTerminal } from '../ui/batches.ts';
import { changeBooks } from '../ui/change-books.ts';
import {
  noMatch,
  noteEmpty,
  writeBooks,
  writeGroups,
  writeRecords,
  type Column,
  type OutputOptions,
} from '../ui/records.ts';
import { waitUntilComputed } from '../ui/wait-until-computed.ts';

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
  $ shelflist authors --limit 100 --after Qm9s
  $ shelflist authors --join "Jane Austen" "Austen, Jane" "Jane Austin" --dry-run
  $ shelflist authors --join Homer Homeros --yes --url https://books.example.org --username ada`;

interface AuthorsOptions extends SessionOptions, OutputOptions, PartOptions {
  sort?: AuthorOrder;
  variants?: boolean;
  join?: boolean;
  yes?: boolean;
  dryRun?: boolean;
}

const columns: readonly Column<AuthorCount>[] = [
  { name: authorField, weight: 1 },
  { name: 'count', align: 'right' },
];

export function defineAuthors(command: Command, io: Io): void {
  addPaging(
    addDryRun(addFormatOptions(addServiceOptions(command), [authorField, 'count'])),
    'authors, or of groups',
  )
    .argument('[words...]', 'words, or their beginnings, in the name; with --join, whole spellings')
    .addOption(
      new Option('--sort <key>', 'the order (default: author); descending with a leading -')
        .choices(authorOrders)
        .conflicts(['variants', 'join']),
    )
    .addOption(
      new Option('--variants', 'list groups of spellings that seem to be one name').conflicts('join'),
    )
    .addOption(
      new Option('--join', 'replace all other spellings by the first one').conflicts(['limit', 'after']),
    )
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action(async (words: string[], options: AuthorsOptions) => {
      if (options.join === true) await joinAuthors(io, words, options);
      else if (options.variants === true) await listVariants(io, words, options);
      else await listAuthors(io, words, options);
    });
}

async function listAuthors(io: Io, words: readonly string[], options: AuthorsOptions): Promise<void> {
  const { sort } = options;
  const part = new ListPart(options);
  const query = { q: words.join(' '), ...(sort !== undefined && { sort }) };
  const count = await withSession(io, options, (client) => {
    const all = part.read((page) =>
      waitUntilComputed(io, 'counting the authors', (signal) =>
        client.authors({ ...query, ...page }, { signal }),
      ),
    );
    return writeRecords(io, columns, all, options);
  });
  part.noteMore(io);
  noteEmpty(io, count, options, words.length === 0 ? 'no authors' : noMatch(authorField));
}

async function listVariants(io: Io, words: readonly string[], options: AuthorsOptions): Promise<void> {
  const seen: AuthorCount[][] = [];
  const part = new ListPart(options);
  await withSession(io, options, (client) => {
    const groups = part.read(async (page) => {
      const { items, next } = await waitUntilComputed(io, 'comparing the authors', (signal) =>
        client.authorVariants({ q: words.join(' '), ...page }, { signal }),
      );
      if (seen.length === 0) seen.push(...items);
      return { items, next };
    });
    return writeGroups(io, columns, groups, options);
  });
  part.noteMore(io);
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
  const { yes = false, dryRun = false, json = false } = options;
  if (!yes && !dryRun) requireTerminal(io, 'joining authors');
  await withSession(io, options, async (client) => {
    const { books, unknown } = await findSpellings(client, keep, others);
    for (const author of json ? [] : unknown)
      notice(
        io,
        `no book has the author ${JSON.stringify(author)}; \`${programName(io)} authors --variants\` lists spellings`,
      );
    if (!json) notice(io, `${counted(books.length, 'book')} to change to ${JSON.stringify(keep)}`);
    if (dryRun) {
      await writeBooks(
        io,
        books.map((book) => ({ ...book, [authorField]: keep })),
        { ...(json && { json }) },
      );
      return;
    }
    await changeBooks(io, client, books, { [authorField]: keep }, { yes, json });
  });
}
