import type { Book } from '../../catalogue/book.ts';
import type { FieldName } from '../../catalogue/fields.ts';
import { formatBooks } from '../../formats/serializer.ts';

/** The formats in which the page saves books. */
export type SavedFormat = 'csv' | 'xlsx';

/**
 * Formats books as a file that an import recognises, as `shelflist export --with-ids` does. A text is kept by the browser, not on the heap
 * of the page.
 *
 * @param headings The names of the columns of an Excel file. An import knows those in a language of the page.
 * @param onProgress Called with the number of books so far.
 */
export async function exportFile(
  books: AsyncIterable<Book>,
  format: SavedFormat,
  headings: Readonly<Record<FieldName, string>>,
  onProgress: (count: number) => void,
): Promise<{ parts: BlobPart[]; count: number }> {
  const parts: BlobPart[] = [];
  let written = 0;
  const options = { format, withIds: true, withRevisions: format === 'xlsx', bom: true, headings };
  for await (const { content, count } of formatBooks(books, options)) {
    parts.push(content as BlobPart);
    written = count;
    onProgress(count);
  }
  return { parts, count: written };
}
