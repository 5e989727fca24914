import { hasSameFields, type Book, type BookPatch } from '../../catalogue/book.ts';
import type { Io } from '../io.ts';
import { selectedBooks, type Selection } from '../selection.ts';
import { changeBooks } from './change-books.ts';
import { editSelection, type EditOptions } from './edit-selection.ts';
import { writeBooks } from './records.ts';

interface ChangeSelectionOptions extends EditOptions {
  /** Writes the books instead of a summary. */
  readonly showsBooks?: boolean;
}

/**
 * Gives the selected books the same values, as one batch. Books that have these values already are left alone.
 *
 * @throws {CommandError} As {@link editSelection}; `failed`: some books were skipped.
 */
export async function changeSelection(
  io: Io,
  selection: Selection,
  patch: BookPatch,
  { showsBooks = false, ...options }: ChangeSelectionOptions,
): Promise<void> {
  const selected: Book[] = [];
  const changed = (book: Book): Book => ({ ...book, ...patch });
  await editSelection<Book>(io, selection, options, {
    doing: 'changing',
    verb: 'change',
    question: (books) => `Change ${books}?`,
    unchanged: 'nothing was changed',
    async read(client) {
      for await (const book of selectedBooks(client, selection, { consequence: 'nothing was changed' }))
        selected.push(book);
      return selected.filter((book) => !hasSameFields(book, changed(book)));
    },
    before: (book) => book,
    after: changed,
    write: (client, toChange) =>
      changeBooks(io, client, toChange, patch, {
        yes: true,
        json: options.json === true && !showsBooks,
        ...(showsBooks && {
          onWritten: (skipped) =>
            writeBooks(io, selected.filter(({ id }) => !skipped.includes(id)).map(changed), options),
        }),
      }),
  });
}
