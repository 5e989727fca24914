import { type Book, fieldsOf } from '../catalogue/book.ts';
import type { FieldName } from '../catalogue/fields.ts';
import type { ExportFormat } from './file-formats.ts';
import { formatRevision } from './revision.ts';
import { concat } from '../lib/byte-arrays.ts';
import { inParts } from '../lib/in-parts.ts';
import { escapeCell, exportColumns, formatExportRow, revisionColumn } from './csv.ts';

/** Writes books as text, part by part: `head`, the parts with `between` in between, `foot`. */
export interface Serializer {
  readonly head: string;
  readonly part: (books: readonly Book[]) => string;
  readonly between: string;
  readonly foot: (isEmpty: boolean) => string;
  /** Makes the bytes of a file of the text, where they are more than its characters. */
  readonly packer?: Packer;
}

interface Packer {
  push(text: string): Uint8Array[];
  end(): Uint8Array[];
}

export interface SerializerOptions {
  /** Whether records have the ids of the books, where the format does not need one. */
  withIds: boolean;
  /** Whether records of CSV, TSV, Excel, JSON and NDJSON have a digest of the book, for an edited file. Default false. */
  withRevisions?: boolean;
  /** The names of columns as an Excel file shows them. Default: those of the fields. */
  headings?: Readonly<Partial<Record<FieldName, string>>> | undefined;
  /** Whether CSV and TSV start with a byte order mark, which Excel needs to read UTF-8. Default false. */
  bom?: boolean;
  /** Of CSV. Default: a comma; in TSV, a tab. */
  delimiter?: string;
  /** Whether CSV and TSV escape texts that a spreadsheet program would take for a formula, a number or a date. Default false. */
  isEscaped?: boolean;
}

/** Creates the serializer of a format. Its code is loaded when a file needs it. */
export async function createSerializer(
  format: ExportFormat,
  {
    withIds,
    withRevisions = false,
    bom = false,
    isEscaped = false,
    delimiter,
    headings = {},
  }: SerializerOptions,
): Promise<Serializer> {
  const record = (book: Book) => ({
    ...(withIds && { id: book.id }),
    ...fieldsOf(book),
    ...(withRevisions && { [revisionColumn]: formatRevision(book, isEscaped) }),
  });
  switch (format) {
    case 'json':
      return jsonArray(record);
    case 'csl-json':
      return jsonArray((await import('./csl.ts')).writeCslItem);
    case 'ndjson':
      return eachAlone((book) => `${JSON.stringify(record(book))}\n`);
    case 'csv':
    case 'tsv': {
      const separator = delimiter ?? (format === 'tsv' ? '\t' : ',');
      const row = (cells: readonly string[]) => formatExportRow(cells, withIds ? 1 : 0, separator) + '\r\n';
      const cell = (value: unknown) =>
        isEscaped && typeof value === 'string' ? escapeCell(value) : String(value);
      return {
        ...eachAlone(() => ''),
        head: (bom ? '\uFEFF' : '') + row(exportColumns(withIds, withRevisions)),
        part: (books) => books.map((book) => row(Object.values(record(book)).map(cell))).join(''),
      };
    }
    case 'xlsx': {
      const { formatSheetRow, sheetFoot, sheetHead, WorkbookPacker } = await import('./write-xlsx.ts');
      const columns = exportColumns(withIds, withRevisions);
      const columnOf = (name: string) => ({
        width: excelWidths[name] ?? 15,
        isHidden: name === revisionColumn, // Only an import reads it.
      });
      const headingOf = (name: string) => (headings as Partial<Record<string, string>>)[name] ?? name;
      let row = 1;
      return {
        head: sheetHead(columns.map(columnOf)) + formatSheetRow(row, columns.map(headingOf)),
        part: (books) => books.map((book) => formatSheetRow(++row, Object.values(record(book)))).join(''),
        between: '',
        foot: () => sheetFoot,
        packer: new WorkbookPacker(),
      };
    }
    case 'ris': {
      const { writeRisRecord } = await import('./ris.ts');
      return eachAlone((book) => writeRisRecord(book, withIds));
    }
    case 'bibtex':
      return eachAlone((await import('./bibtex.ts')).writeBibtexEntry);
    case 'marcxml': {
      const { marcXmlFoot, marcXmlHead, writeMarcXmlRecord } = await import('./marcxml.ts');
      const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
      const each = eachAlone((book) => writeMarcXmlRecord(book, day));
      return { ...each, head: marcXmlHead, foot: () => marcXmlFoot };
    }
  }
}

/** The widths of columns in Excel, in characters. */
const excelWidths: Readonly<Partial<Record<string, number>>> = {
  id: 8,
  title: 50,
  author: 30,
  year: 8,
} satisfies Record<'id' | FieldName, number>;

export interface BookFileOptions extends SerializerOptions {
  format: ExportFormat;
}

/** Formats books as a file, piece by piece. `count` is the number of books up to the end of a piece. */
export async function* formatBooks(
  books: Iterable<Book> | AsyncIterable<Book>,
  { format, ...options }: BookFileOptions,
): AsyncGenerator<{ content: string | Uint8Array; count: number }> {
  const { head, part, between, foot, packer } = await createSerializer(format, options);
  const packed = (text: string) => (packer === undefined ? text : concat(packer.push(text)));
  let count = 0;
  yield { content: packed(head), count };
  for await (const some of inParts(books)) {
    const text = (count === 0 ? '' : between) + part(some);
    count += some.length;
    yield { content: packed(text), count };
  }
  yield { content: packed(foot(count === 0)), count };
  if (packer !== undefined) yield { content: concat(packer.end()), count };
}

function jsonArray(recordOf: (book: Book) => object): Serializer {
  return {
    head: '[\n',
    part: (books) => books.map((book) => JSON.stringify(recordOf(book))).join(',\n'),
    between: ',\n',
    foot: (isEmpty) => (isEmpty ? ']\n' : '\n]\n'),
  };
}

function eachAlone(write: (book: Book) => string): Serializer {
  return {
    head: '',
    part: (books) => books.map((book) => write(book)).join(''),
    between: '',
    foot: () => '',
  };
}
