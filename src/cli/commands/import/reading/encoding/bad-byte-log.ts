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
  readonly #marks: Mark[] = [];
  /** The index of the first mark of the rows that are not taken yet. */
  #next = 0;
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
    const marks = this.#takeBefore(end);
    if (marks.length === 0) return undefined;
    const content = withoutLineEnds(raw);
    let place = end - toleranceBytes - Buffer.byteLength(content);
    let [from, at] = [0, 0];
    return content.replaceAll(replacement, (text, index: number) => {
      place += Buffer.byteLength(content.slice(from, index));
      from = index;
      while ((marks[at]?.offset ?? Infinity) < place - toleranceBytes) at++;
      const near = marks[at];
      return near !== undefined && near.offset <= place + toleranceBytes ? near.mark : text;
    });
  }

  /** The marks before the end of a row, of which it forgets those that were taken. */
  #takeBefore(end: number): readonly Mark[] {
    const first = this.#next;
    while ((this.#marks[this.#next]?.offset ?? Infinity) < end) this.#next++;
    const taken = this.#marks.slice(first, this.#next);
    if (this.#next > this.#marks.length / 2) {
      this.#marks.splice(0, this.#next);
      this.#next = 0;
    }
    return taken;
  }
}

interface Mark {
  readonly offset: number;
  readonly mark: string;
}

function withoutLineEnds(raw: string): string {
  let [start, end] = [0, raw.length];
  while (start < end && /[\r\n]/.test(raw.charAt(start))) start++;
  while (end > start && /[\r\n]/.test(raw.charAt(end - 1))) end--;
  return raw.slice(start, end);
}

/** Gives the cells of a row the marks of its text. */
export function markCells(cells: readonly string[], raw: string): string[] {
  const marks = (raw.match(replacementOrMark) ?? []).values();
  return cells.map((cell) => cell.replaceAll(replacement, () => marks.next().value ?? replacement));
}
