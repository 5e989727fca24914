import { Option, type Command } from 'commander';
import { hasSameFields, type Book, type BookPatch } from '../../catalogue/book.ts';
import { CommandError } from '../command-error.ts';
import { fieldNames, fields, listFields, type FieldName } from '../../catalogue/fields.ts';
import { matchesEverything, toFilter } from '../../catalogue/query.ts';
import { addFormatOptions, addServiceOptions, fieldOptions, integerParser } from '../arguments.ts';
import { requireTerminal } from '../ui/batches.ts';
import { changeBooks } from '../ui/change-books.ts';
import { counted, notice, paragraph, type Io } from '../io.ts';
import { addFilterOptions, addWords, booksToChange, queryOf, type FilterOptions } from '../book-filter.ts';
import { writeBooks, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const optionOf = (name: FieldName) => `--to-${name}`;

const help = `
${paragraph(
  'Words and filters select books as in `shelflist list`. The command skips and lists books that somebody else changes ' +
    'meanwhile. One `shelflist undo` takes all changes back.',
)}
Examples:
  $ shelflist change --author "Jane Austin" --to-author "Jane Austen"
  $ shelflist change --in-title gilgamesh --in-author anon --year 0 --to-year=-1750 --dry-run
  $ shelflist change --author Anon --to-author Anonymous --yes --json
  $ shelflist change --title Emmma --to-title Emma --year-from 1800 --year-to 1899
  $ shelflist change --all --to-title Untitled --dry-run --format csv
  $ shelflist change --year 20015 --to-year 2015 --url https://books.example.org --username ada`;

interface ChangeOptions extends SessionOptions, OutputOptions, FilterOptions {
  yes?: boolean;
  dryRun?: boolean;
  all?: boolean;
}

export function defineChange(command: Command, io: Io): void {
  addFilterOptions(addWords(addServiceOptions(command)));
  for (const name of fieldNames) {
    const { type } = fields[name];
    const to = new Option(`${optionOf(name)} <${fieldOptions[name].placeholder}>`, `the new ${name}`);
    command.addOption(type === 'integer' ? to.argParser(integerParser(name)) : to);
  }
  addFormatOptions(command)
    .option('--all', 'change all books; not with words or filters')
    .option('-n, --dry-run', 'show the changed books, without saving them')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((words: string[], options: ChangeOptions) => changeFound(io, words, options));
}

/** The fields that `--to-FIELD` names. @throws {CommandError} `usage` when there are none. */
function patchOf(options: ChangeOptions): BookPatch {
  const entries = fieldNames.flatMap((name) => {
    const key = `to${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const value = (options as Record<string, unknown>)[key];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (entries.length > 0) return Object.fromEntries(entries);
  const names = listFields(fieldNames.map(optionOf));
  throw new CommandError('usage', { message: `name at least one of ${names}` });
}

async function changeFound(io: Io, words: readonly string[], options: ChangeOptions): Promise<void> {
  const patch = patchOf(options);
  const query = queryOf(words, options);
  if (matchesEverything(toFilter(query)) !== (options.all === true))
    throw new CommandError('usage', {
      message: 'name words or filters that select books, or --all for every book',
    });
  const { dryRun = false, yes = false, json = false } = options;
  if (!yes && !dryRun) requireTerminal(io, 'changing the books of a query');
  await withSession(io, options, async (client) => {
    const found: Book[] = [];
    for await (const book of booksToChange(client, query))
      if (!hasSameFields(book, { ...book, ...patch })) found.push(book);
    if (dryRun) {
      await writeBooks(
        io,
        found.map((book) => ({ ...book, ...patch })),
        options,
      );
      if (!json) notice(io, `would change ${counted(found.length, 'book')}`);
      return;
    }
    await changeBooks(io, client, found, patch, { yes, json });
  });
}
