import { resume } from './text.ts';

/** What may stand between two cells; the first wins a draw. */
const delimiters = [',', ';', '\t'] as const;

/** Longer than any header: a quote that is never closed must not take the whole file into memory. */
const longestHeader = 64 * 1024;

/**
 * Finds what stands between the cells: of comma, semicolon and tab the one that the first line holds most
 * often outside quotes. (The parser's own `delimiter_auto` counts letters too, and fails on any that is not
 * ASCII: csv-parse 7.0, lib/utils/delimiter_discover.js.)
 *
 * @returns The delimiter, and the whole text again.
 */
export async function findDelimiter(
  text: AsyncGenerator<string>,
): Promise<{ delimiter: string; text: AsyncGenerator<string> }> {
  const held: string[] = [];
  const counts = new Map<string, number>(delimiters.map((each) => [each, 0]));
  let quoted = false;
  let length = 0; // Of the first line that is not empty.
  search: while (length < longestHeader) {
    const chunk = await text.next();
    if (chunk.done === true) break;
    held.push(chunk.value);
    for (const character of chunk.value) {
      if (character === '"') quoted = !quoted;
      else if (!quoted && /[\r\n]/.test(character)) {
        if (length > 0) break search;
        continue;
      } else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
      if (character !== '\uFEFF') length++;
    }
  }
  const start = held.join('');
  const [line, named] = /^sep=(.)(?=[\r\n])/i.exec(start) ?? []; // How Excel is told, in a line that is no row.
  if (line !== undefined && named !== undefined)
    return { delimiter: named, text: resume([start.slice(line.length)], text) };
  const [delimiter] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best));
  return { delimiter, text: resume(held, text) };
}
