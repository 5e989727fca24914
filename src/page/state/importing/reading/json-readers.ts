import { JsonArrayParser, type Line, LineSplitter } from '../../../../lib/json.ts';
import { maxRowLength, ReadError, type TableReader, type TableRow } from './table.ts';

/** More members than any export of books has: the names of others are left out. */
const maxColumns = 200;

/** The columns of objects: the names of their members, in the order in which they first appear. */
class Members {
  readonly #places = new Map<string, number>();

  get columns(): readonly string[] {
    return [...this.#places.keys()];
  }

  row(value: unknown, line: number): TableRow {
    const row = { line, mayLackTitle: true };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { ...row, cells: [value], fault: 'object' };
    const cells: unknown[] = [];
    for (const [name, member] of Object.entries(value)) {
      const at = this.#places.get(name) ?? this.#places.size;
      if (at >= maxColumns) continue;
      this.#places.set(name, at);
      cells[at] = member;
    }
    return { ...row, cells };
  }
}

/** Reads a JSON array of objects. */
export class JsonReader implements TableReader {
  readonly unit = 'element';
  readonly #members = new Members();
  readonly #parser: JsonArrayParser<TableRow> = new JsonArrayParser<TableRow>({
    read: (text, position) => this.#members.row(JSON.parse(text), position),
    fail: () => new ReadError({ code: 'json', line: this.#parser.count + 1 }),
  });

  get columns(): readonly string[] {
    return this.#members.columns;
  }

  *push(piece: string): Generator<TableRow> {
    yield* this.#parser.push(piece);
    if (this.#parser.pendingLength > maxRowLength)
      throw new ReadError({ code: 'tooLong', line: this.#parser.count + 1 });
  }

  end(): TableRow[] {
    this.#parser.end();
    return [];
  }
}

/** Reads one JSON object per line. */
export class JsonLinesReader implements TableReader {
  readonly unit = 'line';
  readonly #members = new Members();
  readonly #splitter = new LineSplitter();

  get columns(): readonly string[] {
    return this.#members.columns;
  }

  *push(piece: string): Generator<TableRow> {
    for (const line of this.#splitter.push(piece)) yield* this.#read(line);
    if (this.#splitter.pendingLength > maxRowLength)
      throw new ReadError({ code: 'tooLong', line: this.#splitter.line });
  }

  *end(): Generator<TableRow> {
    yield* this.#read(this.#splitter.rest());
  }

  *#read({ line, text }: Line): Generator<TableRow> {
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // An object on several lines is another format, of which every line would be rejected.
      if (line === 1 && text.trim() === '{') throw new ReadError({ code: 'unreadable' });
      yield { line, cells: [text], fault: 'json', mayLackTitle: true };
      return;
    }
    yield this.#members.row(value, line);
  }
}
