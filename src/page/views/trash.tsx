import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { newBatchId } from '../../catalogue/batch.ts';
import type { DeletedBook } from '../../catalogue/changes.ts';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import { client } from '../state/service.ts';
import { formatTime, texts } from '../texts/current.ts';
import { showDone, showFailure } from '../ui/actions.ts';
import { Button, FieldText, fieldText } from '../ui/controls.tsx';
import { PartsView } from '../ui/parts.tsx';

/** The deleted books that can be brought back, newest first. */
export function TrashView(): JSX.Element {
  return (
    <PartsView
      texts={texts.trash}
      icon="trash"
      limit={100}
      read={(page, signal) => client.trash(page, { signal })}
      rows={(books, again) => books.map((book) => <TrashRow key={book.id} book={book} onRestored={again} />)}
    />
  );
}

function TrashRow({ book, onRestored }: { book: DeletedBook; onRestored: () => void }): JSX.Element {
  const [isRestoring, setRestoring] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const restore = async () => {
    if (isRestoring) return;
    setRestoring(true);
    const batch = newBatchId();
    try {
      await client.revert(book.id, { ifNoneMatch: '*', batch });
      leave(row.current);
      showDone(texts.changing.restored(fieldText(nameField, book)), batch);
    } catch (error) {
      setRestoring(false);
      showFailure(error);
    }
    onRestored();
  };
  return (
    <li ref={row} class="row" tabIndex={-1}>
      <div class="row-text">
        <p>
          {fieldNames.map((name) => (
            <span key={name} class="part">
              <FieldText name={name} book={book} />
            </span>
          ))}
        </p>
        <p class="when">
          {texts.trash.deletedAt} ·{' '}
          <time dateTime={book.deletedAt.toISOString()}>{formatTime(book.deletedAt)}</time>
        </p>
      </div>
      <Button
        icon="undo"
        aria-disabled={isRestoring}
        aria-label={`${texts.changing.restore}: ${fieldText(nameField, book)}`}
        onClick={() => void restore()}
      >
        {texts.changing.restore}
      </Button>
    </li>
  );
}

/** Moves the focus from a row that goes away to one that stays. */
function leave(row: Element | null): void {
  if (!row?.contains(document.activeElement)) return;
  const next = row.nextElementSibling ?? row.previousElementSibling ?? row.closest('main');
  if (next instanceof HTMLElement) next.focus();
}
