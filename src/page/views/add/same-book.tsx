import type { JSX } from 'preact';
import type { Book } from '../../../catalogue/book.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import { texts } from '../../texts/current.ts';
import { FieldText } from '../../ui/field-text.tsx';
import { Icon } from '../../ui/icons.tsx';

interface Props {
  readonly book: Book | undefined;
}

/** Warns that the catalogue has a book already. */
export function SameBook({ book }: Props): JSX.Element {
  return (
    <div role="status">
      {book !== undefined && (
        <p class="warning">
          <Icon name="warning" />
          <span>
            {texts.changing.same}{' '}
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
