import type { JSX } from 'preact';
import type { Book } from '../../../catalogue/book.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import { route } from '../../state/navigation.ts';
import { texts } from '../../texts/current.ts';
import { FieldText } from '../../ui/field-text.tsx';
import { Link } from '../../ui/link.tsx';

interface Props {
  readonly book: Book;
  /** Of the radio buttons of the group. */
  readonly name: string;
  readonly isKept: boolean;
  readonly isGone: boolean;
  readonly isFixed: boolean;
  readonly onKeep: () => void;
}

/** A book of a group, which can be the one to keep. */
export function GroupBook({ book, name, isKept, isGone, isFixed, onKeep }: Props): JSX.Element {
  return (
    <label class={`group-book ${isKept ? 'kept' : ''} ${isGone ? 'gone' : ''}`}>
      <input type="radio" name={name} checked={isKept} disabled={isFixed} onChange={onKeep} />
      <span class="group-text">
        {fieldNames.map((field) => (
          <span key={field} class={`part ${field}`}>
            <FieldText name={field} book={book} />
          </span>
        ))}
        <Link class="group-number" to={{ ...route.value, book: book.id }}>
          {texts.duplicates.number(book.id)}
        </Link>
      </span>
      {isKept && <span class="tag">{texts.duplicates.keep}</span>}
    </label>
  );
}
