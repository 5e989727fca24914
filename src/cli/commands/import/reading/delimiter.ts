import { DelimiterSearch } from '../../../../catalogue/import/delimiter.ts';
import { resume } from './encoding/text.ts';

/** Finds the delimiter of CSV; returns it, and the whole text again. */
export async function findDelimiter(
  text: AsyncGenerator<string>,
  chosen?: string,
): Promise<{ delimiter: string; text: AsyncGenerator<string> }> {
  const search = new DelimiterSearch();
  for (let isFound = false; !isFound;) {
    const piece = await text.next();
    if (piece.done === true) break;
    isFound = search.push(piece.value);
  }
  const { delimiter, start } = search.end();
  return { delimiter: chosen ?? delimiter, text: resume([start], text) };
}
