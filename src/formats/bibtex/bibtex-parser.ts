import { ShelflistError } from '../../catalogue/errors.ts';
import { maxRecordLength, type BookParser, type ParsedBook } from '../parsed-book.ts';
import { createMacros, readEntry, type Entry } from './entry.ts';
import { EntrySplitter, type EntryText } from './entry-splitter.ts';
import { inherited, readBibtexEntry } from './record.ts';

/** The last entries are kept for those after them that refer to them. */
const maxRecent = 1000;
/** The entries that wait for the one they refer to. */
const maxWaiting = 10_000;

/**
 * Parses BibTeX and BibLaTeX. An entry that takes fields from another (`crossref`) is held until that one has been read.
 *
 * Own code: the packages of the registry take a whole file at once, and the one that reads TeX best brings 40 others.
 */
export class BibtexParser implements BookParser<string> {
  readonly #splitter = new EntrySplitter();
  readonly #macros = createMacros();
  /** What others may inherit of the last entries, and of those that are waited for. */
  readonly #recent = new Map<string, Entry>();
  readonly #awaited = new Map<string, Entry | undefined>();
  readonly #waiting: { entry: Entry; parent: string; record: number; original: string }[] = [];
  #record = 0;

  get cut(): string | undefined {
    return this.#splitter.isOpen ? `the entry after record ${this.#record} does not end` : undefined;
  }

  *push(piece: string): Generator<ParsedBook> {
    for (const entry of this.#splitter.push(piece)) yield* this.#take(entry);
    if (this.#splitter.pendingLength > maxRecordLength)
      throw new ShelflistError('failed', {
        message: `the entry after record ${this.#record} is longer than 16 MiB: a brace may be unclosed there; it and all that follows was not read`,
      });
  }

  *end(): Generator<ParsedBook> {
    for (const entry of this.#splitter.end()) yield* this.#take(entry);
    if (this.cut !== undefined) return; // The missing part may have what they wait for.
    for (const { entry, parent, record, original } of this.#waiting) {
      const found = this.#find(parent);
      const reason = `its crossref names ${parent}, which the file does not have`;
      yield { ...(found ? readBibtexEntry(entry, found) : { reason }), record, original };
    }
  }

  *#take({ text, isDamaged }: EntryText): Generator<ParsedBook> {
    const original = text.trim();
    const entry = isDamaged ? 'its braces do not match' : this.#read(text);
    if (typeof entry === 'string') {
      yield { reason: entry, record: ++this.#record, original };
      return;
    }
    if (['comment', 'preamble', 'string'].includes(entry.type)) return;
    const record = ++this.#record;
    this.#keep(entry);
    const parent = parentOf(entry);
    const isMissing = inherited.some((names) => names.every((name) => !entry.fields.has(name)));
    const found = parent === undefined ? undefined : this.#find(parent);
    if (parent !== undefined && isMissing && found === undefined && this.#waiting.length < maxWaiting) {
      this.#waiting.push({ entry, parent, record, original });
      this.#awaited.set(parent, undefined);
    } else yield { ...readBibtexEntry(entry, found), record, original };
  }

  #keep(entry: Entry): void {
    const key = entry.key.toLowerCase();
    if (key === '') return;
    if (this.#awaited.has(key)) this.#awaited.set(key, this.#awaited.get(key) ?? withoutTexts(entry));
    this.#recent.set(copy(key), withoutTexts(entry));
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > maxRecent && oldest !== undefined) this.#recent.delete(oldest);
  }

  #find(key: string): Entry | undefined {
    return this.#awaited.get(key) ?? this.#recent.get(key);
  }

  /** An entry, or the reason why it cannot be read. */
  #read(text: string): Entry | string {
    try {
      return readEntry(text, this.#macros);
    } catch (error) {
      if (error instanceof SyntaxError) return error.message;
      throw error;
    }
  }
}

/** The key of the entry whose fields fill those that are missing. */
function parentOf({ fields }: Entry): string | undefined {
  const value = fields.get('crossref');
  return value !== undefined && 'tex' in value ? value.tex.trim().toLowerCase() : undefined;
}

/** Copies only the fields that others inherit: a part of a string would hold the whole in memory. */
function withoutTexts(entry: Entry): Entry {
  const fields = inherited.flat().flatMap((name) => {
    const value = entry.fields.get(name);
    return value === undefined || 'undefinedMacro' in value
      ? []
      : [[name, { tex: copy(value.tex) }] as const];
  });
  return { type: '', key: '', fields: new Map<string, { tex: string }>(fields) };
}

function copy(text: string): string {
  return Buffer.from(text).toString();
}
