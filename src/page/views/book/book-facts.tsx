import type { JSX } from 'preact';
import type { Book } from '../../../catalogue/book.ts';
import { fieldNames, type FieldName } from '../../../catalogue/fields.ts';
import { authorField, yearField } from '../../../catalogue/statistics.ts';
import { texts } from '../../texts/current.ts';
import { FieldText, isEmpty } from '../../ui/field-text.tsx';
import { Link } from '../../ui/link.tsx';
import { decadeOf } from '../stats/decade.ts';

/** The field that is the heading of a book. */
export const heading = 'title' satisfies FieldName;

/** The other fields of a book, and ways to books like it. */
export function BookFacts({ book }: { book: Book }): JSX.Element {
  const decade = decadeOf(book[yearField]);
  return (
    <>
      <dl class="facts">
        {fieldNames
          .filter((name) => name !== heading)
          .map((name) => (
            <div key={name}>
              <dt>{texts.fields[name]}</dt>
              <dd>
                <FieldText name={name} book={book} />
              </dd>
            </div>
          ))}
        <div>
          <dt>{texts.book.number}</dt>
          <dd class="number">{book.id}</dd>
        </div>
      </dl>
      <p class="links">
        {!isEmpty(authorField, book) && (
          <Link to={{ view: 'list', query: { [authorField]: book[authorField] } }}>
            {texts.book.moreByAuthor}
          </Link>
        )}
        {!isEmpty(yearField, book) && (
          <Link to={{ view: 'list', query: decade.query }}>{texts.book.moreOfDecade}</Link>
        )}
      </p>
    </>
  );
}
