import { render } from 'preact';
import type { Book } from '../../../../catalogue/book.ts';
import { fieldNames, fields } from '../../../../catalogue/fields.ts';
import { texts } from '../../../texts/current.ts';
import { FieldText } from '../../../ui/field-text.tsx';

/** More would make the browser slow, and fill hundreds of sheets. */
export const maxPrinted = 5000;

/** Prints books as a table of all rows, which the page itself never has; says so if there are more. */
export function printBooks(books: readonly Book[], total: number | undefined): void {
  const place = document.createElement('div');
  place.className = 'print-only';
  document.body.append(place);
  render(
    <table>
      <caption>
        {texts.books.title}: {texts.books.books(books.length)}
        {total !== undefined && total > books.length && ` – ${texts.importing.firstOf(books.length, total)}`}
      </caption>
      <thead>
        <tr>
          {fieldNames.map((name) => (
            <th key={name} scope="col">
              {texts.fields[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {books.map((book) => (
          <tr key={book.id}>
            {fieldNames.map((name) => (
              <td key={name} class={fields[name].type}>
                <FieldText name={name} book={book} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>,
    place,
  );
  const remove = () => {
    render(null, place);
    place.remove();
  };
  addEventListener('afterprint', remove, { once: true });
  print();
}
