import type { Book } from '../../../catalogue/book.ts';
import { checkExpected, isSameBook } from '../../compare-and-set.ts';
import { decodeBook } from '../documents.ts';
import {
  compareAndSet,
  isTombstone,
  repeat,
  restoration,
  type Changing,
  type Condition,
} from '../write/change.ts';
import { lastStateOf, readLogged, statesOf } from './entries.ts';

/**
 * Gives a book an earlier state, by compare-and-set.
 *
 * @throws {ShelflistError} `precondition_failed`
 */
export function revertBook(
  changing: Pick<Changing, 'books' | 'signal'>,
  id: number,
  version: string | undefined,
  { expected, batch, since }: Condition & { readonly since: number },
): Promise<Book | undefined> {
  return repeat(changing, async () => {
    const state = await readLogged(changing, id);
    const book = state === undefined || isTombstone(state) ? undefined : decodeBook(state);
    checkExpected(expected, book);
    if (state === undefined) return { value: undefined };
    const earlier =
      version === undefined
        ? lastStateOf(state, since)
        : statesOf(state, since).find((each) => each.version === version)?.book;
    if (earlier === undefined) return { value: undefined };
    if (book !== undefined && isSameBook(book, earlier)) return { value: book };
    const isDone = await compareAndSet(changing, state, restoration(state, book, earlier, batch));
    return isDone && { value: earlier };
  });
}
