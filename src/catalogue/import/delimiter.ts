/** The possible delimiters. The first wins a draw. */
const delimiters = [',', ';', '\t', '|'] as const;

/** Exceeds any header. Without a limit, an unclosed quote would take the whole file into memory. */
const maxHeaderLength = 64 * 1024;

/**
 * Finds the delimiter of CSV: of comma, semicolon, tab and bar the one that occurs most often in the first line, outside quotes.
 * `delimiter_auto` of csv-parse 7.0 counts letters too, and fails on letters outside ASCII (lib/utils/delimiter_discover.js).
 */
export class DelimiterSearch {
  readonly #counts = new Map<string, number>(delimiters.map((each) => [each, 0]));
  #isQuoted = false;
  #length = 0; // Of the first line that is not empty.
  #start = '';

  /** Takes the next piece of text; returns whether the first line is complete, or too long. */
  push(piece: string): boolean {
    this.#start += piece;
    for (const character of piece) {
      if (character === '"') this.#isQuoted = !this.#isQuoted;
      else if (!this.#isQuoted && /[\r\n]/.test(character)) {
        if (this.#length > 0) return true;
        continue;
      } else if (!this.#isQuoted) this.#count(character);
      if (character !== '\uFEFF') this.#length++;
    }
    return this.#length >= maxHeaderLength;
  }

  #count(character: string): void {
    const count = this.#counts.get(character);
    if (count !== undefined) this.#counts.set(character, count + 1);
  }

  /** The delimiter, and the text so far; without a line `sep=;` for Excel, which is not a row. */
  end(): { delimiter: string; start: string } {
    const [line, named] = /^sep=(.)(?=[\r\n])/i.exec(this.#start) ?? [];
    if (line !== undefined && named !== undefined)
      return { delimiter: named, start: this.#start.slice(line.length) };
    const [delimiter] = [...this.#counts].reduce((best, each) => (each[1] > best[1] ? each : best));
    return { delimiter, start: this.#start };
  }
}
