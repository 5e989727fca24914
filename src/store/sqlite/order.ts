// The order by title: its state in the file, and the keys of the next one, made some at a time.
import {
  articleField,
  changeOrder,
  finishOrder,
  otherSlot,
  plainOrder,
  settleOrder,
  titleKey,
  type TitleOrder,
} from '../../catalogue/title-order.ts';
import { toText, type Statements } from './connection.ts';
import { asNumber, newEpoch, orderColumns } from './schema.ts';

/** The number of books that get a key in one transaction. */
const booksAtOnce = 2000;

export function readOrder(statements: Statements): TitleOrder {
  const [json] = statements.row('SELECT title_order FROM meta') ?? [];
  return typeof json === 'string' ? (JSON.parse(json) as TitleOrder) : plainOrder;
}

/** Asks for another order. Without articles it holds at once; else `orderNext` makes it. */
export function setArticles(statements: Statements, articles: readonly string[]): void {
  const order = readOrder(statements);
  const changed = changeOrder(order, articles);
  if (changed !== order) write(statements, changed, changed.articles !== order.articles);
}

/** Makes the next keys, or removes some that are no longer used. Returns their number: 0 when nothing is left to do. */
export function orderNext(statements: Statements): number {
  const order = readOrder(statements);
  const { next, slot, articles } = order;
  if (next === undefined) {
    const unused = orderColumns.filter((_, i) => articles.length === 0 || i !== slot);
    return unused.reduce((count, column) => count + clear(statements, column), 0);
  }
  const column = orderColumns[otherSlot(slot)];
  const rows = statements.rows(
    `SELECT ${asNumber('id')}, ${articleField} FROM books WHERE id > ? ORDER BY id LIMIT ${booksAtOnce}`,
    next.to,
  );
  for (const [id = null, title = null] of rows)
    statements.run(`UPDATE books SET ${column} = ? WHERE id = ?`, titleKey(toText(title), next.articles), id);
  const isLast = rows.length < booksAtOnce;
  const to = Number(rows.at(-1)?.[0] ?? next.to);
  write(statements, isLast ? finishOrder(order) : { ...order, next: { ...next, to } }, isLast);
  return Math.max(1, rows.length); // The old keys are left.
}

function clear(statements: Statements, column: string): number {
  const ids = `SELECT id FROM books INDEXED BY books_by_${column} WHERE ${column} IS NOT NULL LIMIT ${booksAtOnce}`;
  const count = statements.number(`SELECT count(*) FROM (${ids})`);
  if (count > 0) statements.run(`UPDATE books SET ${column} = NULL WHERE id IN (${ids})`);
  return count;
}

/** @param isNew Listings have another order than before, though no book has changed. */
function write(statements: Statements, order: TitleOrder, isNew: boolean): void {
  // All connections see a change at once.
  statements.run('UPDATE meta SET title_order = ?', JSON.stringify(settleOrder(order)));
  if (isNew) statements.run('UPDATE meta SET epoch = ?', newEpoch());
}
