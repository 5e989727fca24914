// The last row of a table may have totals, such as `Total books: 250`: that is no book.
import type { BookFields } from '../catalogue/book.ts';
import { foldText } from '../catalogue/fold.ts';
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
const maxLength = 60;

function looksLikeTotal({ title, author, year }: BookFields): boolean {
  return author.trim() === '' && year === 0 && title.length <= maxLength && totalText.test(foldText(title));
}

/** Gives the last row of a table a problem if it looks like a total. Other rows pass as they come. */
export async function* withoutTotal(
  rows: AsyncIterable<BookRow>,
  { keepsTotal = false, isMatched = false }: ReadOptions,
): AsyncGenerator<BookRow> {
  let held: BookRow | undefined;
  for await (const row of rows) {
    if (held !== undefined) yield held;
    held = 'fields' in row && !keepsTotal && !isMatched && looksLikeTotal(row.fields) ? row : undefined;
    if (held === undefined) yield row;
  }
  if (held === undefined) return;
  const { line, unit, original } = held;
  yield { line, unit, original, problem: { code: 'total' } };
}
