import { fieldNames } from '../catalogue/fields.ts';
import { revisionColumn } from '../catalogue/import/spreadsheet-text.ts';

/** The columns of a CSV file of books. */
export function exportColumns(withIds: boolean, withRevisions = withIds): string[] {
  return [...(withIds ? ['id'] : []), ...fieldNames, ...(withRevisions ? [revisionColumn] : [])];
}

interface CsvOptions {
  /** Whether blank cells are quoted, which distinguishes an empty text from a missing one. */
  quotesBlank?: boolean;
  delimiter?: string;
  /** What ends a row. Default: a line feed, which suits pipes; RFC 4180 wants CRLF. */
  lineEnd?: '\n' | '\r\n';
}

/**
 * Formats rows as CSV (RFC 4180). Every cell survives a round trip: a lone carriage return is quoted too, since some readers
 * end a row there.
 */
export async function createCsvFormat({
  quotesBlank = false,
  delimiter = ',',
  lineEnd = '\n',
}: CsvOptions = {}): Promise<(rows: readonly (readonly string[])[]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  const options = {
    quoted_match: quotesBlank ? /[\r\n]|^\s*$/ : /[\r\n]/,
    delimiter,
    record_delimiter: lineEnd,
  };
  return (rows) => stringify(rows as string[][], options);
}
