import type { Command } from 'commander';
import type { Paging } from '../api/queries.ts';
import { readPages } from '../client/client.ts';
import { parseLimit } from './arguments.ts';
import { notice, type Io } from './io.ts';

/** The options that select a part of a list. */
export interface PartOptions {
  readonly limit?: number;
  readonly after?: string;
}

/** Reads a page of a list. */
type ReadPage<Item> = (
  page: Paging,
) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>;

/** Adds the options that read a list part by part. @param items What it lists: `books`. */
export function addPaging(command: Command, items: string, defaultLimit?: number): Command {
  return command
    .option('--limit <count>', `the maximum number of ${items}`, parseLimit, defaultLimit)
    .option('--after <cursor>', 'continue from this cursor, which --limit writes to standard error');
}

/** The part of a list that the options select. It knows where the next part begins. */
export class ListPart {
  readonly #options: PartOptions;
  #next: string | undefined;

  constructor(options: PartOptions) {
    this.#options = options;
  }

  /** @param isSelected Selects among what the service lists. Default: all. */
  async *read<Item>(
    readPage: ReadPage<Item>,
    isSelected?: (item: Item) => boolean,
  ): AsyncGenerator<Item, void, undefined> {
    const { limit = Infinity, after: start } = this.#options;
    let page: { after: string | undefined; size: number; next: string | undefined } | undefined;
    let seen = 0;
    const read: ReadPage<Item> = async ({ limit: most, after = start }) => {
      const found = await readPage({ limit: most, ...(after !== undefined && { after }) });
      page = { after, size: found.items.length, next: found.next };
      seen = 0;
      return found;
    };
    let missing = limit;
    for await (const item of readPages(read, isSelected === undefined ? limit : Infinity)) {
      seen++;
      if (isSelected?.(item) === false) continue;
      yield item;
      if (--missing === 0) break;
    }
    if (missing > 0 || page === undefined) return;
    this.#next = seen === page.size ? page.next : await cursorAfter(readPage, seen, page.after);
  }

  /** Says how to read the next part, if there is one. @param words The words of a search that were corrected. */
  noteMore(io: Io, words?: string): void {
    if (this.#next === undefined) return;
    const corrected = words === undefined ? '' : ` for ${words}`;
    notice(io, `to go on, repeat this command${corrected} with --after ${this.#next}`);
  }
}

/** The cursor after some items, which do not end a page. */
async function cursorAfter<Item>(
  readPage: ReadPage<Item>,
  count: number,
  after: string | undefined,
): Promise<string | undefined> {
  const { items, next } = await readPage({ limit: count, ...(after !== undefined && { after }) });
  const left = count - items.length;
  // A page may be shorter than requested.
  return left <= 0 || next === undefined || next === after ? next : cursorAfter(readPage, left, next);
}
