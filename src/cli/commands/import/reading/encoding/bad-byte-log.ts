import { Buffer } from 'node:buffer';
import { badBytes, lone } from './bad-bytes.ts';

/** What UTF-8 has instead of a mark: three bytes too. */
const replacement = '\ufffd';
const replacementOrMark = new RegExp(`${replacement}|${lone.source}`, 'g');

/** Places that differ by less are the same: line ends are not counted exactly, and replacements are farther apart. */
const toleranceBytes = 2;

/**
 * Remembers the marks of a text that goes through a parser, which replaces them, because it works on UTF-8. A row gets its
 * marks back by its place in the text.
 */
export class BadByteLog {
  #marks: { offset: number; mark: string }[] = [];
  /** The length of the text so far, in bytes of UTF-8. */
  #length = 0;

  push(text: string): void {
    let from = 0;
    if (!text.isWellFormed()) {
      for (const { 0: mark, index } of badBytes(text)) {
        this.#length += Buffer.byteLength(text.slice(from, index));
        this.#marks.push({ offset: this.#length, mark });
        from = index;
      }
    }
    this.#length += Buffer.byteLength(from === 0 ? text : text.slice(from));
  }

  /**
   * Gives the text of a row its marks back, and forgets those before its end; `undefined` if it has none.
   *
   * @param end Where the row ends, with its line end, in bytes.
   */
  take(raw: string, end: number): string | undefined {
    if (this.#marks.length === 0) return undefined;
    const content = raw.replace(/^[\r\n]+|[\r\n]+$/g, '');
    const start = end - toleranceBytes - Buffer.byteLength(content);
    const marks = this.#marks.filter(({ offset }) => offset >= start && offset < end);
    this.#marks = this.#marks.filter(({ offset }) => offset >= end);
    if (marks.length === 0) return undefined;
    return content.replaceAll(replacement, (text, index: number) => {
      const place = start + Buffer.byteLength(content.slice(0, index));
      return marks.find(({ offset }) => Math.abs(offset - place) <= toleranceBytes)?.mark ?? text;
    });
  }
}

/** Gives the cells of a row the marks of its text. */
export function markCells(cells: readonly string[], raw: string): string[] {
  const marks = (raw.match(replacementOrMark) ?? []).values();
  return cells.map((cell) => cell.replaceAll(replacement, () => marks.next().value ?? replacement));
}
