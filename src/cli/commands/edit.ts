import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  fieldsOf,
  parseBookPatch,
  type Book,
  type BookFields,
  type BookPatch,
} from '../../catalogue/book.ts';
import type { TaggedBook } from '../../client/methods.ts';
import type { Client } from '../../client/client.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { CommandError, type Failure } from '../command-error.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import { addDryRun, addFormatOptions, addServiceOptions, namingBook, pickDefined } from '../arguments.ts';
import { booksOfIds, collectIds, findBook, isSingle, readIds, type IdRange } from '../ids.ts';
import { editText, withoutReason } from '../ui/editor.ts';
import { notice, shellWord, withProgramName, type Io } from '../io.ts';
import { describeChanges, writeBooks, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Opens the book as JSON in the editor named by VISUAL or EDITOR, else vi. Only the
fields that you change are sent. If your text cannot be saved, because it is not valid
or someone else changed the book meanwhile, the editor opens again, with the reason on
top. To give up, close it without a change: your text is kept, and --draft submits it.
Several books open one after the other; the first that cannot be saved ends the
command. With --dry-run, your text is kept, too.

Examples:
  $ shelflist edit 7
  $ shelflist edit 7 --draft /tmp/shelflist-Zb3kQ1/book-7.json
  $ shelflist edit 7 --draft book-7.json --dry-run
  $ shelflist list --year 0 | cut -f 1 | shelflist edit -
  $ EDITOR="code --wait" shelflist edit 7 --json
  $ shelflist edit 7 --url https://books.example.org --username ada --format csv`;

interface EditOptions extends SessionOptions, OutputOptions {
  draft?: string;
  dryRun?: boolean;
}

export function defineEdit(command: Command, io: Io): void {
  addDryRun(addFormatOptions(addServiceOptions(command)))
    .argument(
      '<id...>',
      'the ids of the books, or ranges (3-7); - reads them from standard input',
      collectIds,
    )
    .option('--draft <file>', 'submit this text, without an editor')
    .addHelpText('after', help)
    .action((words: string[], options: EditOptions) => edit(io, words, options));
}

async function edit(io: Io, words: readonly string[], options: EditOptions): Promise<void> {
  const { draft, dryRun = false } = options;
  const ranges = await readIds(io, words);
  const text = draft === undefined ? undefined : await readDraft(io, draft);
  const edited: Book[] = [];
  await withSession(io, options, async (service) => {
    const client = dryRun ? withoutWriting(service) : service;
    const ids = await findIds(service, ranges);
    if (text !== undefined && ids.length !== 1)
      throw new CommandError('usage', { message: '--draft needs one id: it has the text of one book' });
    try {
      for (const id of ids) {
        const tagged = await namingBook(id, client.getTagged(id));
        const book =
          text === undefined
            ? await editBook(io, client, tagged, dryRun)
            : await submit(io, client, tagged, text, dryRun);
        edited.push(book);
      }
    } finally {
      // Books that are saved are saved, whatever happens to the next one.
      if (edited.length > 0 || ids.length === 0) await writeBooks(io, edited, options);
    }
  });
  if (dryRun && options.json !== true) notice(io, 'a dry run: nothing was saved');
}

/** The ids of the books to edit. Before the first of several is opened, each must exist. */
async function findIds(client: Client, ranges: readonly IdRange[]): Promise<number[]> {
  const [first] = ranges;
  if (ranges.length === 1 && first && isSingle(first)) return [first.first];
  const ids: number[] = [];
  const books = booksOfIds(client, ranges, findBook, { consequence: 'nothing was changed' });
  for await (const { id } of books) ids.push(id);
  return ids;
}

/** A client whose updates change nothing, but return what they would. */
function withoutWriting(client: Client): Client {
  return { ...client, update: async (id, patch) => ({ ...(await client.get(id)), ...patch }) };
}

async function readDraft({ directory }: Io, file: string): Promise<string> {
  try {
    return withoutReason(await readFile(resolve(directory, file), 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new CommandError('failed', { message: `cannot read ${file} (${code})`, cause: error });
  }
}

/** Sends the fields that differ from the current book, and says which. */
async function submit(
  io: Io,
  client: Client,
  tagged: TaggedBook,
  text: string,
  dryRun: boolean,
): Promise<Book> {
  const saved = await save(io, client, tagged, text);
  const changes = describeChanges(tagged.book, saved);
  if (changes !== '') notice(io, `${dryRun ? 'would change' : 'changed'} ${changes}`);
  return saved;
}

/** Opens the editor until the book is saved. */
async function editBook(
  io: Io,
  client: Client,
  { book, tag: firstTag }: TaggedBook,
  dryRun: boolean,
): Promise<Book> {
  let tag = firstTag;
  const { saved, kept } = await editText(io, {
    name: `book-${book.id}.json`,
    text: `${JSON.stringify(fieldsOf(book), undefined, 2)}\n`,
    save: (text) =>
      save(io, client, { book, tag }, text).catch((error: unknown) => {
        if (error instanceof Conflict) tag = error.now.tag;
        throw error;
      }),
    isCorrectable,
    submitLine: (path) => `shelflist edit ${book.id} --draft ${shellWord(path)}`,
    keepsText: dryRun,
  });
  if (kept !== undefined) {
    notice(io, `would change ${describeChanges(book, saved)}`);
    notice(io, `your text is kept: \`${withProgramName(io, kept)}\` submits it`);
  }
  return saved;
}

/** Somebody else has changed the book. */
class Conflict extends ShelflistError {
  readonly now: TaggedBook;

  constructor(now: TaggedBook) {
    const { book } = now;
    const message = `book ${book.id} was changed meanwhile; it is now ${JSON.stringify(book)}; nothing was saved`;
    super('precondition_failed', { message });
    this.now = now;
  }
}

/** The text is not that of a book. */
class InvalidText extends CommandError {
  constructor(reason: string) {
    super('failed', { message: `nothing was saved: ${reason}` });
  }
}

/** Whether a corrected text, or the same text again, may be saved. */
function isCorrectable(error: unknown): error is Failure {
  if (error instanceof Conflict || error instanceof InvalidText) return true;
  return hasCode(error, 'invalid_input');
}

/** Sends the fields that differ from the book, unless its tag has changed. @throws {Conflict | InvalidText} */
async function save(io: Io, client: Client, { book, tag }: TaggedBook, text: string): Promise<Book> {
  const patch = changes(book, parseFields(text));
  if (Object.keys(patch).length === 0) {
    notice(io, 'nothing was changed');
    return namingBook(book.id, client.get(book.id));
  }
  try {
    return await namingBook(book.id, client.update(book.id, patch, { ifMatch: tag }));
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error;
    throw new Conflict(await namingBook(book.id, client.getTagged(book.id)));
  }
}

function parseFields(text: string): BookPatch {
  try {
    const value: unknown = JSON.parse(text);
    const patch = parseBookPatch(value);
    const unknown = Object.keys(value as object).find((name) => !Object.hasOwn(patch, name));
    if (unknown === undefined) return patch;
    throw new ShelflistError('invalid_input', { message: `a book has no field ${JSON.stringify(unknown)}` });
  } catch (error) {
    throw new InvalidText(
      error instanceof SyntaxError ? `it is not valid JSON (${error.message})` : (error as Error).message,
    );
  }
}

function changes(before: BookFields, after: BookPatch): BookPatch {
  return pickDefined(
    after,
    fieldNames.filter((name) => after[name] !== before[name]),
  );
}
