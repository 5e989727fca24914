import type { Command } from 'commander';
import { parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { addFormatOptions, addServiceOptions, namingBook, parseIdArgument } from '../arguments.ts';
import { createDraft, type Draft } from '../editor.ts';
import { notice, shellWord, type Io } from '../io.ts';
import { writeBook } from '../output/books.ts';
import type { OutputOptions } from '../output/records.ts';
import { withSession, type SessionOptions } from '../session.ts';

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
  const book = await namingBook(id, client.get(id));
  const draft = await createDraft(io, `book-${id}.json`, formatFields(book));
  let text: string;
  try {
    text = await draft.edit();
  } catch (error) {
    await draft.remove(); // Who leaves an editor with an error wants nothing of it.
    throw error;
  }
  const saved = await keepingDraft(draft, () => save(io, client, book, text));
  await draft.remove();
  return saved;
}

/** Sends what differs from the book as it was, if it still is so. */
async function save(io: Io, client: Client, book: Book, text: string): Promise<Book> {
  const patch = changes(book, parseFields(text));
  if (Object.keys(patch).length === 0) {
    notice(io, 'nothing was changed');
    return book;
  }
  const now = await namingBook(book.id, client.get(book.id));
  if (Object.keys(changes(book, now)).length > 0) {
    throw new ShelflistError('failed', {
      message: `book ${book.id} was changed meanwhile, and is now ${JSON.stringify(now)}; nothing was saved`,
    });
  }
  return namingBook(book.id, client.update(book.id, patch));
}

function formatFields({ title, author, year }: BookFields): string {
  return `${JSON.stringify({ title, author, year }, undefined, 2)}\n`;
}

function parseFields(text: string): BookPatch {
  try {
    return parseBookPatch(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    const message = error instanceof ShelflistError ? error.message : 'it is no JSON any more';
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

/** Runs `action`; if it fails, nobody has typed in vain. */
async function keepingDraft<T>({ path }: Draft, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    const message = `${error.message}. What you wrote is in ${shellWord(path)}`;
    throw new ShelflistError(error.code, { message, cause: error });
  }
}
