import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { readBook } from '../../state/service.ts';
import { editing } from '../../state/editing/editing.ts';
import { heard } from '../../state/live.ts';
import { closeBook } from '../../state/navigation.ts';
import { texts } from '../../texts/current.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldText } from '../../ui/field-text.tsx';
import { Failure, Notice } from '../../ui/notice.tsx';
import { useAccess } from '../../hooks/use-store.ts';
import { useAnswer } from '../../hooks/use-answer.ts';
import { useStore } from '../../hooks/use-store.ts';
import { BookActions } from './book-actions.tsx';
import { BookFacts, heading } from './book-facts.tsx';
import { BookHistory } from './book-history.tsx';
import { EditForm } from './edit-form.tsx';

/** A book of its own, beside the list. */
export function BookSheet({ id }: { id: number }): JSX.Element {
  const changes = useStore(heard);
  const { canWrite } = useAccess();
  const now = useStore(editing);
  const isEdited = now?.place === 'sheet' && now.base.book.id === id;
  // It is read again when somebody, here or elsewhere, has changed it.
  const version = useRef(0);
  if (changes.id === id) version.current = changes.count;
  const { value, error, again } = useAnswer(`${id} ${version.current}`, (signal) => readBook(id, signal));
  const isMissing = error?.code === 'book_not_found';
  return (
    <Dialog
      look="sheet"
      title={value === undefined ? texts.book.title(id) : <FieldText name={heading} book={value.book} />}
      onClose={closeBook}
    >
      {isMissing && (
        <Notice icon="book" title={texts.book.missing}>
          <p>{texts.book.missingHint}</p>
        </Notice>
      )}
      {error !== undefined && !isMissing && (
        <Failure title={texts.book.title(id)} error={error} onRetry={again} />
      )}
      {value === undefined && error === undefined && <p class="loading">{texts.loading}</p>}
      {value !== undefined && !isMissing && (
        <>
          {isEdited ? <EditForm now={now} /> : <BookFacts book={value.book} />}
          {canWrite && !isEdited && <BookActions book={value.book} />}
          <BookHistory book={value.book} tag={value.tag} />
        </>
      )}
    </Dialog>
  );
}
