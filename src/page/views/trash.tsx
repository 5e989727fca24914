import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { newBatch } from '../../catalogue/batch.ts';
import type { DeletedBook } from '../../catalogue/changes.ts';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import type { DeletedPage } from '../../client/operations.ts';
import { useAnswer, useStore } from '../state/hooks.ts';
import { heard } from '../state/live.ts';
import { client } from '../state/service.ts';
import { formatTime, texts } from '../texts/current.ts';
import { showDone, showFailure } from '../ui/actions.ts';
import { Button, FieldText, fieldText } from '../ui/controls.tsx';
import { Failure, Notice } from '../ui/messages.tsx';

/** The deleted books of one request. */
const limit = 100;

/** The deleted books that can be brought back, newest first. */
export function TrashView(): JSX.Element {
  const { count } = useStore(heard);
  const { value, error, again } = useAnswer(String(count), (signal) => client.trash({ limit }, { signal }));
  return (
    <div class="view">
      <h1>{texts.trash.title}</h1>
      {error !== undefined && <Failure title={texts.trash.failed} error={error} onRetry={again} />}
      {value?.books.length === 0 && error === undefined && (
        <Notice icon="trash" title={texts.trash.empty}>
          <p>{texts.trash.emptyHint}</p>
        </Notice>
      )}
      {value !== undefined && value.books.length > 0 && <TrashList key={count} first={value} />}
    </div>
  );
}

function TrashList({ first }: { first: DeletedPage }): JSX.Element {
  const [books, setBooks] = useState<readonly DeletedBook[]>(first.books);
  const [next, setNext] = useState(first.next);
  const readMore = async () => {
    try {
      const page = await client.trash({ limit, after: next });
      setBooks([...books, ...page.books]);
      setNext(page.next);
    } catch (error) {
      showFailure(error);
    }
  };
  const remove = (id: number) => {
    setBooks((shown) => shown.filter((book) => book.id !== id));
  };
  return (
    <>
      <ul class="rows">
        {books.map((book) => (
          <TrashRow key={book.id} book={book} onRestored={remove} />
        ))}
      </ul>
      {next !== undefined && <Button onClick={() => void readMore()}>{texts.trash.more}</Button>}
    </>
  );
}

interface RowProps {
  readonly book: DeletedBook;
  readonly onRestored: (id: number) => void;
}

function TrashRow({ book, onRestored }: RowProps): JSX.Element {
  const restore = async () => {
    const batch = newBatch();
    try {
      await client.revert(book.id, { ifNoneMatch: '*', batch });
      onRestored(book.id);
      showDone(texts.changing.restored(book.id), batch);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <li class="row">
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
        aria-label={`${texts.changing.restore}: ${fieldText(nameField, book)}`}
        onClick={() => void restore()}
      >
        {texts.changing.restore}
      </Button>
    </li>
  );
}
