import { ShelflistError } from '../../catalogue/errors.ts';
import { LineSplitter } from '../../lib/json/ndjson-parser.ts';
import { maxRecordLength, type BookParser, type ParsedBook } from '../parsed-book.ts';
import type { RisLine } from './plain-record.ts';
import { readRisRecord } from './record.ts';

const linePattern = /^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$/s;

/**
 * Parses RIS (https://en.wikipedia.org/wiki/RIS_(file_format)). A line without a tag continues the one before it.
 *
 * Own code: the readers of the registry take a whole file at once.
 */
export class RisParser implements BookParser<string> {
  readonly #splitter = new LineSplitter();
  #record = 0;
  /** The lines of the current record; `undefined` between records. */
  #lines: RisLine[] | undefined;
  #text: string[] = [];
  #length = 0;

  get cut(): string | undefined {
    return this.#lines && `record ${this.#record} has no ER line`;
  }

  *push(piece: string): Generator<ParsedBook> {
    // An empty line means nothing, so each of the two characters may end a line.
    for (const { text } of this.#splitter.push(piece.replaceAll('\r', '\n'))) yield* this.#take(text);
    if (this.#length + this.#splitter.pendingLength > maxRecordLength)
      throw new ShelflistError('failed', {
        message: `record ${this.#record} is longer than 16 MiB: its ER line may be missing; it and all that follows was not read`,
      });
  }

  *end(): Generator<ParsedBook> {
    yield* this.#take(this.#splitter.rest().text);
    if (this.#record > 0) return;
    throw new ShelflistError('failed', {
      message: 'the file is not RIS: no line begins a record (TY  - BOOK)',
    });
  }

  *#take(line: string): Generator<ParsedBook> {
    const [, tag, value = ''] = linePattern.exec(line.trimEnd()) ?? [];
    if (tag === 'TY') {
      if (this.#lines !== undefined) yield this.#complete({ reason: 'it has no ER line' });
      this.#record++;
      this.#lines = [['TY', value]];
    }
    if (this.#lines === undefined || line.trim() === '') return; // What is between records is a comment.
    this.#text.push(line);
    this.#length += line.length;
    if (tag === 'ER') yield this.#complete(readRisRecord(this.#lines));
    else if (tag !== undefined) this.#lines.push([tag, value]);
    else this.#continue(line);
  }

  #continue(line: string): void {
    const [tag, value] = this.#lines?.pop() ?? ['', ''];
    this.#lines?.push([tag, `${value} ${line.trim()}`]);
  }

  #complete(read: ReturnType<typeof readRisRecord>): ParsedBook {
    const original = this.#text.join('\n');
    this.#lines = undefined;
    this.#text = [];
    this.#length = 0;
    return { ...read, record: this.#record, original };
  }
}
