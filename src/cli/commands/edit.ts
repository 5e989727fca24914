import type { Command } from 'commander';
import { parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import type { TaggedBook } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { addFormatOptions, addServiceOptions, namingBook, parseIdArgument } from '../arguments.ts';
import { createDraft, type Draft } from '../editor.ts';
import { notice, shellWord, type Io } from '../io.ts';
import { writeBook } from '../output/books.ts';
import type { OutputOptions } from '../output/records.ts';
import type { SessionOptions } from '../login.ts';
import { withSession } from '../session.ts';

const help = `
The editor is the one in VISUAL or EDITOR, else vi. The book is JSON there; what you
change and save is sent, and nothing else. If somebody changed the book meanwhile,
nothing is saved, and your text stays in a file that is named.

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
  throw new ShelflistError('failed', { message: 'the file that was edited is gone; nothing was saved' });
}

/** Sends what differs from the book as it was, if it still is so. */
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
      message: `book ${book.id} was changed meanwhile, and is now ${JSON.stringify(now)}; nothing was saved`,
      cause: error,
    });
  }
}

function formatFields({ title, author, year }: BookFields): string {
  return `${JSON.stringify({ title, author, year }, undefined, 2)}\n`;
}

function parseFields(text: string): BookPatch {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const patch = parseBookPatch(value);
    const unknown = Object.keys(value as object).find((name) => !Object.hasOwn(patch, name));
    if (unknown === undefined) return patch;
    throw new ShelflistError('invalid_input', { message: `a book has no ${JSON.stringify(unknown)}` });
  } catch (error) {
    const message =
      error instanceof SyntaxError ? `it is no JSON any more (${error.message})` : (error as Error).message;
    throw new ShelflistError('failed', { message: `nothing was saved: ${message}` });
  }
}

function changes(before: BookFields, after: BookPatch): BookPatch {
  return {
    ...(after.title !== undefined && after.title !== before.title && { title: after.title }),
    ...(after.author !== undefined && after.author !== before.author && { author: after.author }),
    ...(after.year !== undefined && after.year !== before.year && { year: after.year }),
  };
}

/** Nobody has typed in vain. */
function namingDraft(error: unknown, { path }: Draft): unknown {
  if (!(error instanceof ShelflistError)) return error;
  const message = `${error.message}. What you wrote is in ${shellWord(path)}`;
  return new ShelflistError(error.code, { message, cause: error });
}
