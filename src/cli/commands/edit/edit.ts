import type { Command } from 'commander';
import {
  fieldsOf,
  parseBookPatch,
  type Book,
  type BookFields,
  type BookPatch,
} from '../../../catalogue/book.ts';
import type { TaggedBook } from '../../../client/books.ts';
import type { Client } from '../../../client/client.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import {
  addFormatOptions,
  addServiceOptions,
  namingBook,
  parseIdArgument,
  pickDefined,
} from '../../arguments.ts';
import { createDraft, type Draft } from './editor.ts';
import { notice, shellWord, type Io } from '../../io.ts';
import { writeBook } from '../../ui/books.ts';
import type { OutputOptions } from '../../ui/records.ts';
import type { SessionOptions } from '../../session/target.ts';
import { withSession } from '../../session/session.ts';

const help = `
Opens the book as JSON in the editor named by VISUAL or EDITOR, else vi. Only the
fields that you change are sent. If someone else changed the book meanwhile, nothing
is saved, and the path of your text is shown.

Examples:
  $ shelflist edit 7
  $ EDITOR="code --wait" shelflist edit 7 --json
  $ shelflist edit 7 --url https://books.example.org --username ada --format csv`;

type EditOptions = SessionOptions & OutputOptions;

export function defineEdit(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('<id>', 'the id of the book', parseIdArgument)
    .addHelpText('after', help)
    .action(async (id: number, options: EditOptions) => {
      const book = await withSession(io, options, (client) => editBook(io, client, id));
      await writeBook(io, book, options);
    });
}

async function editBook(io: Io, client: Client, id: number): Promise<Book> {
  const tagged = await namingBook(id, client.getTagged(id));
  const before = formatFields(tagged.book);
  const draft = await createDraft(io, `book-${id}.json`, before);
  const failure: unknown = await draft.edit().catch((error: unknown) => error);
  const text = await draft.read();
  try {
    if (failure !== undefined) throw failure as Error;
    const saved = await save(io, client, tagged, text ?? gone());
    await draft.remove();
    return saved;
  } catch (error) {
    if (text !== undefined && text !== before) throw namingDraft(error, draft);
    await draft.remove();
    throw error;
  }
}

function gone(): never {
  throw new ShelflistError('failed', { message: 'the edited file no longer exists; nothing was saved' });
}

/** Sends the changed fields, unless the book was changed meanwhile. */
async function save(io: Io, client: Client, tagged: TaggedBook, text: string): Promise<Book> {
  const { book, tag } = tagged;
  const patch = changes(book, parseFields(text));
  if (Object.keys(patch).length === 0) {
    notice(io, 'nothing was changed');
    const now = await namingBook(book.id, client.refresh(tagged));
    return now.book;
  }
  try {
    return await namingBook(book.id, client.update(book.id, patch, { ifMatch: tag }));
  } catch (error) {
    if (!(error instanceof ShelflistError) || error.code !== 'precondition_failed') throw error;
    const now = await namingBook(book.id, client.get(book.id));
    throw new ShelflistError('precondition_failed', {
      message: `book ${book.id} was changed meanwhile; it is now ${JSON.stringify(now)}; nothing was saved`,
      cause: error,
    });
  }
}

function formatFields(book: BookFields): string {
  return `${JSON.stringify(fieldsOf(book), undefined, 2)}\n`;
}

function parseFields(text: string): BookPatch {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const patch = parseBookPatch(value);
    const unknown = Object.keys(value as object).find((name) => !Object.hasOwn(patch, name));
    if (unknown === undefined) return patch;
    throw new ShelflistError('invalid_input', { message: `a book has no field ${JSON.stringify(unknown)}` });
  } catch (error) {
    const message =
      error instanceof SyntaxError ? `it is not valid JSON (${error.message})` : (error as Error).message;
    throw new ShelflistError('failed', { message: `nothing was saved: ${message}` });
  }
}

function changes(before: BookFields, after: BookPatch): BookPatch {
  return pickDefined(
    after,
    fieldNames.filter((name) => after[name] !== before[name]),
  );
}

/** Adds the path of the draft to an error, so that the text is not lost. */
function namingDraft(error: unknown, { path }: Draft): unknown {
  if (!(error instanceof ShelflistError)) return error;
  const message = `${error.message}. Your text is in ${shellWord(path)}`;
  return new ShelflistError(error.code, { message, cause: error });
}
