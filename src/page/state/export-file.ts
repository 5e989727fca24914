import type { Book } from '../../catalogue/book.ts';
import type { FieldName } from '../../catalogue/fields.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { maxFileBooks, writeCatalogueFile, type CatalogueFile } from '../../formats/catalogue-file.ts';
import { formatBooks } from '../../formats/serializer.ts';
import type { Language } from '../../texts/texts.ts';
import { viewerTexts } from '../../texts/viewer.ts';

/** The formats in which the page saves books. */
export type SavedFormat = 'csv' | 'xlsx' | 'html';

interface CatalogueOptions extends Pick<CatalogueFile, 'name'> {
  readonly language: Language;
  /** Where the program of the file is. */
  readonly address: URL;
  readonly signal: AbortSignal;
}

/**
 * Makes one HTML file of the books, which searches without a service.
 *
 * @param onProgress Called with the number of books so far.
 * @throws {ShelflistError} `invalid_input`: there are more books than such a file holds.
 * @throws {TypeError} Its program cannot be loaded.
 */
export async function exportCatalogue(
  books: AsyncIterable<Book>,
  { address, signal, language, name }: CatalogueOptions,
  onProgress: (count: number) => void,
): Promise<{ parts: BlobPart[]; count: number }> {
  const all: Book[] = [];
  for await (const book of books) {
    if (all.push(book) > maxFileBooks) throw new ShelflistError('invalid_input');
    if (all.length % 1000 === 0) onProgress(all.length);
  }
  const response = await fetch(address, { signal });
  if (!response.ok) throw new TypeError(`cannot load ${address.href}: ${response.status}`);
  const { needsScript } = viewerTexts[language];
  const file = { name, language, madeAt: new Date(), needsScript, viewer: await response.text() };
  return { parts: [writeCatalogueFile(all, file)], count: all.length };
}

/**
 * Formats books as a file that an import recognises, as `shelflist export --with-ids` does. A text is kept by the browser, not on the heap
 * of the page.
 *
 * @param headings The names of the columns of an Excel file. An import knows those in a language of the page.
 * @param onProgress Called with the number of books so far.
 */
export async function exportFile(
  books: AsyncIterable<Book>,
  format: Exclude<SavedFormat, 'html'>,
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
