import { Option, type Command } from 'commander';
import type { Book } from '../../book.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeBooks } from '../output/books.ts';
import type { OutputOptions } from '../output/records.ts';
import type { SessionOptions } from '../login.ts';
import { withSession } from '../session.ts';

const help = `
On a terminal the books come as a table that fits it; in a pipe as lines of id,
title, author and year with tabs between. --format json, ndjson and csv give every
character of every book, and --format table a table in a pipe too.

Examples:
  $ shelflist list --sort author
  $ shelflist list --sort -year | head
  $ shelflist list --json | jq '.[].title'
  $ shelflist list --format csv --url https://books.example.org --username ada`;

const keys = ['id', 'title', 'author', 'year'] as const;
type Key = (typeof keys)[number];

interface ListOptions extends SessionOptions, OutputOptions {
  sort: Key | `-${Key}`;
}

export function defineList(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .addOption(
      new Option('--sort <key>', 'in which order; with - in front the other way round')
        .choices(keys.flatMap((key) => [key, `-${key}`]))
        .default('id'),
    )
    .addHelpText('after', help)
    .action(async (options: ListOptions) => {
      const books = await withSession(io, options, (client) => client.list());
      await writeBooks(io, sort(books, options.sort), options);
    });
}

/** Orders books by a member, and those alike by id. */
function sort(books: readonly Book[], by: ListOptions['sort']): Book[] {
  const key = by.replace('-', '') as Key;
  const direction = by.startsWith('-') ? -1 : 1;
  // Not in the language of the machine: a list is the same everywhere.
  const { compare } = new Intl.Collator('en', { numeric: true });
  const order =
    key === 'id' || key === 'year'
      ? (a: Book, b: Book) => a[key] - b[key]
      : (a: Book, b: Book) => compare(a[key], b[key]);
  return books.toSorted((a, b) => direction * order(a, b) || a.id - b.id);
}
