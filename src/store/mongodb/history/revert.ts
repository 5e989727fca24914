import type { Book } from '../../../catalogue/book.ts';
import { checkExpected, isSameBook } from '../../compare-and-set.ts';
import { changeState, fence, restoration, type Changing, type Condition } from '../write/change.ts';
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
  return changeState(
    changing,
    () => readLogged(changing, id),
    (state, book) => {
      checkExpected(expected, book);
      if (state === undefined) return undefined;
      const earlier =
        version === undefined
          ? lastStateOf(state, since)
          : statesOf(state, since).find((each) => each.version === version)?.book;
      if (earlier === undefined) return undefined;
      const isSame = book !== undefined && isSameBook(book, earlier);
      return { value: earlier, update: isSame ? fence(book) : restoration(state, book, earlier, batch) };
    },
  );
}
