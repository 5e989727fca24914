// The authors of all books: each part walks the index of the authors.
import { authorField } from '../../catalogue/fields.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { authorsPartBooks, maxSpellingBytes, type AuthorsPart } from '../questions/authors.ts';
import { toText } from './connection.ts';
import type { QueryContext } from './reading.ts';
import { asNumber, sortColumn } from './schema.ts';

/** The authors of the books after a position: first the other books of its author, then those of the next ones. */
export function readAuthors(
  { statements, checkTime }: QueryContext,
  after: KeysetPosition | undefined,
): AuthorsPart {
  const key = sortColumn(authorField);
  const isShort = `length(CAST(${authorField} AS BLOB)) <= ${maxSpellingBytes}`;
  const part = (where: string) => `
    SELECT own_key, own_author, count(*), ${asNumber('max(own_id)')} FROM (
      SELECT ${key} AS own_key, CASE WHEN ${isShort} THEN ${authorField} ELSE ${key} END AS own_author, id AS own_id
      FROM books INDEXED BY books_by_${authorField}
      WHERE ${where} ORDER BY ${key}, id LIMIT ?
    ) GROUP BY own_key, own_author ORDER BY own_key`;
  const tallies: AuthorsPart['tallies'][number][] = [];
  let last = after;
  let left = authorsPartBooks;
  const read = (where: string, ...values: (string | number)[]) => {
    checkTime();
    for (const [own, author = null, count, id] of statements.rows(part(where), ...values, left)) {
      tallies.push({ key: String(own), author: toText(author), count: Number(count) });
      left -= Number(count);
      const isSame = last?.key === own;
      last = { key: String(own), id: isSame ? Math.max(last?.id ?? 0, Number(id)) : Number(id) };
    }
  };
  if (after !== undefined) read(`${key} = ? AND id > ?`, String(after.key), after.id);
  if (left > 0) read(`${key} > ?`, after === undefined ? '' : String(after.key));
  return { tallies, last: left > 0 ? undefined : last };
}
