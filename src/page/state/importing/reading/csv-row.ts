/** How a file writes its rows. */
export interface CsvForm {
  readonly delimiter: string;
  readonly newline: '\n' | '\r';
}

export interface CsvRow {
  readonly cells: string[];
  /** Where the next row starts. */
  readonly end: number;
  /** Whether its quotes do not match. */
  readonly isDamaged: boolean;
}

/**
 * Reads the row of CSV (RFC 4180) that starts at an index. A quote inside a cell without quotes is text.
 *
 * @param isLast Whether the text ends there. Otherwise a row that reaches its end is incomplete: `undefined`.
 */
export function parseCsvRow(text: string, start: number, form: CsvForm, isLast: boolean): CsvRow | undefined {
  const { delimiter, newline } = form;
  const cells: string[] = [];
  let isDamaged = false;
  for (let at = start; ; at++) {
    let end: number;
    if (text[at] === '"') {
      const quoted = closeQuotes(text, at + 1, form);
      isDamaged ||= quoted.isDamaged;
      cells.push(text.slice(at + 1, quoted.close).replaceAll('""', '"'));
      end = quoted.close + 1;
      if (text.startsWith('\r\n', end)) end++;
    } else {
      end = at;
      while (end < text.length && text[end] !== delimiter && text[end] !== newline) end++;
      const cell = text.slice(at, end);
      cells.push(newline === '\n' && text[end] !== delimiter ? cell.replace(/\r$/, '') : cell);
    }
    if (end >= text.length) return isLast ? { cells, end: text.length, isDamaged } : undefined;
    if (text[end] === newline) return { cells, end: end + 1, isDamaged };
    at = end;
  }
}

/** Finds the quote that closes a cell: what follows it is not text. */
function closeQuotes(text: string, from: number, { delimiter, newline }: CsvForm) {
  let isDamaged = false;
  for (let close = from; ; close++) {
    close = text.indexOf('"', close);
    if (close < 0) return { close: text.length, isDamaged: true };
    const next = text[close + 1];
    if (next === '"') close++;
    else if (next === undefined || next === delimiter || next === newline) return { close, isDamaged };
    else if (next === '\r' && (text[close + 2] ?? '\n') === '\n') return { close, isDamaged };
    else isDamaged = true;
  }
}
