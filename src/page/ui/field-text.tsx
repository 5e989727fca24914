import type { JSX } from 'preact';
import type { BookFields } from '../../catalogue/book.ts';
import { fields, type FieldName } from '../../catalogue/fields.ts';
import { texts } from '../texts/current.ts';

/** Whether a field of a book has its empty value. */
export function isEmpty(name: FieldName, book: BookFields): boolean {
  return typeof book[name] === 'string' ? book[name].trim() === '' : book[name] === 0;
}

/** The value of a field as text; what is missing is said. */
export function fieldText(name: FieldName, book: BookFields): string {
  return isEmpty(name, book) ? texts.missing[name] : String(book[name]);
}

/** The value of a field. A text has the direction of its own script, not that of the page. */
export function FieldText({ name, book }: { name: FieldName; book: BookFields }): JSX.Element {
  if (isEmpty(name, book)) return <span class="missing">{texts.missing[name]}</span>;
  if (fields[name].type === 'integer') return <span class="number">{texts.year(Number(book[name]))}</span>;
  return <bdi dir="auto">{book[name]}</bdi>;
}
