import { type Book, fieldsOf } from '../catalogue/book.ts';
import type { ExportFormat } from './file-formats.ts';
import { formatRevision } from './revision.ts';
import { escapeCell, exportColumns, formatExportRow, revisionColumn } from './csv.ts';

/** Writes books as text, part by part: `head`, the parts with `between` in between, `foot`. */
export interface Serializer {
  readonly head: string;
  readonly part: (books: readonly Book[]) => string;
  readonly between: string;
  readonly foot: (isEmpty: boolean) => string;
}

export interface SerializerOptions {
  /** Whether records have the ids of the books, where the format does not need one. */
  withIds: boolean;
  /** Whether records of CSV, TSV, JSON and NDJSON have a digest of the book, for an edited file. Default false. */
  withRevisions?: boolean;
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
  { withIds, withRevisions = false, bom = false, isEscaped = false, delimiter }: SerializerOptions,
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
