// The authors of all books: each part walks the index of the authors, or steps in it from one author to the next.
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { authorField } from '../../catalogue/statistics.ts';
import {
  authorsPartBooks,
  maxSpellingLength,
  type AuthorName,
  type AuthorsPart,
} from '../contract/authors.ts';
import { toText } from './connection.ts';
import type { NextAuthorsOptions } from '../contract/store.ts';
import type { Reading } from './reading.ts';
import { asNumber, sortColumn } from './schema.ts';

/** The authors of the books after a position: first the other books of its author, then those of the next ones. */
export function readAuthors(
  { statements, checkTime }: Reading,
  after: KeysetPosition | undefined,
): AuthorsPart {
  const key = sortColumn(authorField);
  const part = (where: string) => `
    SELECT own_key, own_author, count(*), ${asNumber('max(own_id)')} FROM (
      SELECT ${key} AS own_key, substr(${authorField}, 1, ${maxSpellingLength}) AS own_author, id AS own_id FROM books INDEXED BY books_by_${authorField}
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

/** The authors after a key. Each is one step in the index, however many books it skips. */
export function readNextAuthors(
  { statements, checkTime }: Reading,
  { after, isDescending = false, limit }: Omit<NextAuthorsOptions, 'signal'>,
): AuthorName[] {
  checkTime();
  const key = sortColumn(authorField);
  const from = `books INDEXED BY books_by_${authorField}`;
  const [beyond, order] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
  const next = (place: string) =>
    `(SELECT ${key} FROM ${from} WHERE ${key} ${beyond} ${place} AND ${key} > '' ORDER BY ${key} ${order} LIMIT 1)`;
  // Blobs are greater than every text.
  const start = after === undefined ? (isDescending ? "x''" : "''") : '?';
  const rows = statements.rows(
    `WITH RECURSIVE names(own_key) AS (
       SELECT ${next(start)} UNION ALL SELECT ${next('own_key')} FROM names WHERE own_key IS NOT NULL LIMIT ?
     )
     SELECT own_key, (SELECT substr(${authorField}, 1, ${maxSpellingLength}) FROM ${from} WHERE ${key} = own_key ORDER BY id LIMIT 1)
     FROM names WHERE own_key IS NOT NULL`,
    ...(after === undefined ? [] : [after]),
    limit,
  );
  return rows.map(([own, author = null]) => ({ key: String(own), author: toText(author) }));
}
