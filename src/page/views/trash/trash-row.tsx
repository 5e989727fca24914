import type { JSX } from 'preact';
import { fieldNames } from '../../../catalogue/fields.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import { client } from '../../state/service.ts';
import type { DeletedBook } from '../../../catalogue/changes.ts';
import { formatTime, texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { FieldText, fieldText } from '../../ui/field-text.tsx';
import { showDone, showFailure } from '../../ui/undo.ts';

interface Props {
  readonly book: DeletedBook;
  readonly onRestored: (id: number) => void;
}

/** A deleted book. */
export function TrashRow({ book, onRestored }: Props): JSX.Element {
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
            <span key={name} class={`part ${name}`}>
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
        aria-label={`${texts.changing.restore}: ${fieldText('title', book)}`}
        onClick={() => void restore()}
      >
        {texts.changing.restore}
      </Button>
    </li>
  );
}
