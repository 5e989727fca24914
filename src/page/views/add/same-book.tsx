import type { JSX } from 'preact';
import { fieldNames, type BookFields } from '../../../catalogue/fields.ts';
import { texts } from '../../texts/current.ts';
import { FieldText } from '../../ui/field-text.tsx';
import { Icon } from '../../ui/icons.tsx';

interface Props {
  readonly book: (BookFields & { id: number }) | undefined;
  /** What is said about it. */
  readonly text: string;
}

/** Warns that the catalogue has a book already. */
export function SameBook({ book, text }: Props): JSX.Element {
  return (
    <div role="status">
      {book !== undefined && (
        <p class="warning">
          <Icon name="warning" />
          <span>
            {text}{' '}
            <a href={`./?book=${book.id}`} target="_blank" rel="noopener">
              {texts.book.title(book.id)}
            </a>
            {': '}
            {fieldNames.map((name, i) => (
              <span key={name}>
                {i > 0 && ', '}
                <FieldText name={name} book={book} />
              </span>
            ))}
          </span>
        </p>
      )}
    </div>
  );
}
