import type { Book } from '../../book.ts';
import { comparePositions, positionOf, type Position } from '../../query/position.ts';
import { matches, type Condition } from '../../query/query.ts';
import { createPage } from '../page.ts';

/** A book where it stands. */
interface Placed {
  readonly book: Book;
  readonly position: Position;
}

/** The first of the books that a condition fits, in its order: as many as a page holds, and one more. */
export class Earliest {
  readonly #condition: Condition;
  readonly #limit: number;
  readonly #after: Position | undefined;
  #found: Placed[] = [];
  #characters = 0;

  /** @param after They stand behind it. */
  constructor(condition: Condition, limit: number, after: Position | undefined) {
    this.#condition = condition;
    this.#limit = limit;
    this.#after = after;
  }

  /** Takes a book into account; which comes when does not matter. */
  add(book: Book): void {
    if (!matches(this.#condition, book)) return;
    const position = positionOf(this.#condition, book);
    if (this.#after !== undefined && comparePositions(this.#condition, position, this.#after) <= 0) return;
    this.#found.push({ book, position });
    this.#characters += book.title.length + book.author.length;
    if (this.#found.length > 2 * this.#limit + 100 || this.#characters > 2 ** 22) this.#shorten();
  }

  /** Whether a book that stands behind all that were added makes no difference. */
  get isComplete(): boolean {
    return this.#found.length > this.#limit;
  }

  /** In their order. */
  get books(): readonly Book[] {
    this.#shorten();
    return this.#found.map(({ book }) => book);
  }

  #shorten(): void {
    this.#found.sort((a, b) => comparePositions(this.#condition, a.position, b.position));
    const page = createPage(this.#limit);
    const end = this.#found.findIndex(({ book }) => {
      if (page.isFull) return true;
      page.add(book);
      return false;
    });
    if (end !== -1) this.#found = this.#found.slice(0, end + 1);
    this.#characters = 0;
  }
}
