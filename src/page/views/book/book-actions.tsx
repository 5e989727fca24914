import type { JSX } from 'preact';
import type { Book } from '../../../catalogue/book.ts';
import { closeBook } from '../../state/navigation.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { deleteShown } from '../../ui/delete-book.ts';
import { editBook } from '../../ui/edit-book.ts';

/** What can be done with a book. */
export function BookActions({ book }: { book: Book }): JSX.Element {
  return (
    <div class="buttons start">
      <Button icon="edit" onClick={() => void editBook(book.id, 'sheet')}>
        {texts.changing.edit}
      </Button>
      <Button
        icon="trash"
        look="danger"
        onClick={() => {
          void deleteShown(book).then((isDeleted) => {
            if (isDeleted) closeBook();
          });
        }}
      >
        {texts.changing.delete}
      </Button>
    </div>
  );
}
