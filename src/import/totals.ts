// The last row of a table may have totals, such as `Total books: 250`: that is no book.
import { foldText } from '../catalogue/fold.ts';
import { isbnDigits } from '../catalogue/isbn.ts';
import type { BookRow, ReadOptions } from './row.ts';

const totals =
  'total|totals|grand total|sum|subtotal|summe|gesamt|gesamtzahl|insgesamt|anzahl|somme|nombre|suma|totale|somma|totaal|aantal|' +
  'totalt|antal|antall|yhteensa|razem|lacznie|celkem|spolu|osszesen|итого|всего|разом|toplam|ukupno|skupaj|συνολο|合计|合計|总计|總計|' +
  '総計|共计|합계|총계|المجموع|الإجمالي|סהכ|סך הכל|jumlah|tong cong';
const things =
  'book|books|title|titles|item|items|record|records|row|rows|buch|bucher|titel|bande|medien|exemplare|livre|livres|titre|titres|' +
  'ouvrages|documents|libro|libros|titulo|titulos|ejemplares|libri|titoli|livros|boeken|bocker|boger|kirjaa|ksiazek|ksiazki|knih|knihy|' +
  'книг|книги|kitap|本|册|冊|권';
/** `Total`, `Total books: 250`, `Number of books: 250`, `250 books`. */
const totalText = new RegExp(
  `^(?:(?:${totals})(?: (?:of|de|der|number|${things}))*(?: \\d+)*(?: (?:${things}))?|(?:number|no|count) of (?:${things})(?: \\d+)?|\\d+ ?(?:${things}))$`,
  'u',
);
/** Of a title. */
const maxLength = 60;

/** Facts about the rows above a total, which it can repeat in any column. */
interface Sums {
  rows: number;
  books: number;
  years: number;
}

/**
 * Whether the last row of a table is a total. A book can have such a title, too: so the row needs a number that is no ISBN, and its author and year
 * must be empty, or the count or sum of the rows above. A row with a 0 is a book: exports write 0 for no year.
 */
function isTotal(
  { fields: { title, author, year }, original }: Extract<BookRow, { fields: unknown }>,
  above: Sums,
): boolean {
  const isSum = (value: string) =>
    value === '' || [above.rows, above.books, above.years].includes(Number(value));
  if (!isSum(author.trim()) || !(year === 0 || isSum(String(year))) || title.length > maxLength) return false;
  const cells = Array.isArray(original) ? original.map((cell) => String(cell).trim()) : [];
  const isNumber = (cell: string) => /[1-9]/.test(cell) && isbnDigits(cell) === undefined;
  return totalText.test(foldText(title)) && cells.some(isNumber) && !cells.includes('0');
}

/** Gives the last row of a table a problem if it is a total. Other rows pass as they come. */
export async function* withoutTotal(
  rows: AsyncIterable<BookRow>,
  { keepsTotal = false, isMatched = false }: ReadOptions,
): AsyncGenerator<BookRow> {
  const above: Sums = { rows: 0, books: 0, years: 0 };
  let held: BookRow | undefined;
  for await (const row of rows) {
    if (held !== undefined) yield held;
    const isBook = 'fields' in row;
    held = isBook && !keepsTotal && !isMatched && isTotal(row, above) ? row : undefined;
    if (held === undefined) yield row;
    above.rows++;
    if (!isBook) continue;
    above.books++;
    above.years += row.fields.year;
  }
  if (held === undefined) return;
  const { line, unit, original } = held;
  yield { line, unit, original, problem: { code: 'total' } };
}
