import type { JSX } from 'preact';
import { newBatch } from '../../catalogue/batch.ts';
import type { DeletedBook } from '../../catalogue/changes.ts';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import type { PageOptions } from '../../client/operations.ts';
import { type Part, useAnswer, useParts, useStore } from '../state/hooks.ts';
import { changed } from '../state/live.ts';
import { client } from '../state/service.ts';
import { formatTime, texts } from '../texts/current.ts';
import { showDone, showFailure } from '../ui/actions.ts';
import { Button, FieldText, fieldText } from '../ui/controls.tsx';
import { Failure, Notice } from '../ui/messages.tsx';
import { MoreButton } from '../ui/more.tsx';

/** The deleted books of one request. */
const limit = 100;

async function readTrash(page: PageOptions, signal?: AbortSignal): Promise<Part<DeletedBook>> {
  const { books, next } = await client.trash(page, { signal });
  return { items: books, next };
}

/** The deleted books that can be brought back, newest first. */
export function TrashView(): JSX.Element {
  const { value, error, again } = useAnswer(String(useStore(changed)), (signal) =>
    readTrash({ limit }, signal),
  );
  return (
    <div class="view">
      <h1>{texts.trash.title}</h1>
      {error !== undefined && <Failure title={texts.trash.failed} error={error} onRetry={again} />}
      {value?.items.length === 0 && error === undefined && (
        <Notice icon="trash" title={texts.trash.empty}>
          <p>{texts.trash.emptyHint}</p>
        </Notice>
      )}
      {value !== undefined && value.items.length > 0 && <TrashList first={value} />}
    </div>
  );
}

function TrashList({ first }: { first: Part<DeletedBook> }): JSX.Element {
  const { items, more, remove } = useParts(first, (after) => readTrash({ limit, after }));
  return (
    <>
      <ul class="rows">
        {items.map((book) => (
          <TrashRow
            key={book.id}
            book={book}
            onRestored={(id) => {
              remove((each) => each.id === id);
            }}
          />
        ))}
      </ul>
      <MoreButton more={more} />
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
