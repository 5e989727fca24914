// Text to rows: a table of HTML, as web programs write it for Excel.
import { HtmlTableParser } from '../formats/html.ts';
import { FileError } from '../formats/problems.ts';
import type { BookRow, ReadOptions } from './row.ts';
import { createTableReader } from './table-rows.ts';

/** Reads the rows of the tables. The first row with a text names the columns. */
export async function* readHtmlRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const parser = new HtmlTableParser();
  let read: ReturnType<typeof createTableReader> | undefined;
  let number = 0;
  for await (const piece of text)
    for (const cells of parser.push(piece)) {
      number++;
      if (cells.every((cell) => cell === '')) continue;
      const isHeader = read === undefined && options.isHeadless !== true;
      read ??= createTableReader(cells, 'row', options);
      if (isHeader) continue;
      yield read({ line: number, cells, problemOf: () => undefined, isTitleMeant: () => false });
    }
  if (parser.isOpen) throw new FileError({ code: 'cutOff', at: 'xml', number });
  if (!parser.hasTable) throw new FileError({ code: 'otherFormat', format: 'html' });
  if (read === undefined) throw new FileError({ code: 'empty' });
}
