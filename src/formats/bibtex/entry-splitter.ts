/** The text of an entry, from its @ to its last bracket, and whether it is damaged. */
export interface EntryText {
  text: string;
  isDamaged: boolean;
}

/** The start of an entry: its type and the opening bracket. */
const start = /@[ \t\r\n]*([A-Za-z]+)[ \t\r\n]*[{(]/y;
/** An @ that may become such a start when more text arrives. */
const partialStart = /@[ \t\r\n]*(?:[A-Za-z]+[ \t\r\n]*)?$/y;
/** An entry at the beginning of a line, within another entry: the brackets of the other one do not match. */
const nextEntry = /@[A-Za-z]+[ \t]*[{(]/y;
const partialNextEntry = /@(?:[A-Za-z]+[ \t]*)?$/y;
/** A field after the end of an entry: a brace too many has closed it. */
const strayField = /^[\s,})]*[A-Za-z][\w-]*\s*=/;
/** In characters. Suffices to find such a field. */
const maxLookahead = 200;
/** In characters. A longer start of an entry is text, so that none is examined again with each piece. */
const maxStart = 10_000;

/**
 * Splits BibTeX into entries while it arrives, as BibTeX does: by counting braces, also those after a backslash. It examines
 * each character once. Text between entries is a comment.
 */
export class EntrySplitter {
  #text = '';
  /** How far `#text` was examined. */
  #at = 0;
  /** In an entry, the number of open braces; -1 outside. */
  #depth = -1;
  #closing = '}';
  /** A complete entry, until what follows it has shown whether its brackets match. */
  #held: string | undefined;

  /** The length of the text held because its entry is incomplete. */
  get pendingLength(): number {
    return this.#text.length;
  }

  /** Whether the text ends within an entry. */
  get isOpen(): boolean {
    return this.#depth >= 0 || (this.#text.startsWith('@') && this.#held === undefined);
  }

  /** Takes the next piece of text; yields the entries that end in it. */
  *push(piece: string): Generator<EntryText> {
    this.#text += piece;
    for (;;) {
      const entry = this.#depth < 0 ? this.#findStart() : this.#findEnd();
      if (entry === undefined) return;
      if (entry !== 'again') yield entry;
    }
  }

  /** Ends the text; yields the last entry. */
  *end(): Generator<EntryText> {
    const last = this.#release(this.#text);
    if (last) yield last;
  }

  /** Skips what precedes the next entry. */
  #findStart(): EntryText | 'again' | undefined {
    const at = this.#text.indexOf('@');
    if (this.#held !== undefined) {
      if (at < 0 && this.#text.length < maxLookahead) return undefined;
      return this.#release(at < 0 ? this.#text : this.#text.slice(0, at));
    }
    this.#text = at < 0 ? '' : this.#text.slice(at);
    if (at < 0) return undefined;
    const [opened] = matchAt(start, this.#text, 0) ?? [];
    if (opened === undefined) {
      if (this.#text.length < maxStart && matchAt(partialStart, this.#text, 0)) return undefined;
      this.#text = this.#text.slice(1); // An address of e-mail, for example.
      return 'again';
    }
    this.#closing = opened.endsWith('(') ? ')' : '}';
    this.#depth = 0;
    this.#at = opened.length;
    return 'again';
  }

  /** Examines an entry up to its end. */
  #findEnd(): EntryText | 'again' | undefined {
    const pattern = /[{})@]/g;
    pattern.lastIndex = this.#at;
    for (let found = pattern.exec(this.#text); found; found = pattern.exec(this.#text)) {
      const { index } = found;
      const [character] = found;
      if (character === '@') {
        if (!/\n[ \t]*$/.test(this.#text.slice(Math.max(0, index - 100), index))) continue;
        if (matchAt(nextEntry, this.#text, index)) return this.#close(index, true);
        if (this.#text.length - index > maxStart || !matchAt(partialNextEntry, this.#text, index)) continue;
        this.#at = index;
        return undefined;
      }
      if (character === '{') this.#depth++;
      else if (this.#depth === 0 && character === this.#closing) return this.#close(index + 1, false);
      else if (character === '}') this.#depth = Math.max(0, this.#depth - 1);
    }
    this.#at = this.#text.length;
    return undefined;
  }

  /** Ends the entry. A complete one is held until the next character. */
  #close(end: number, isDamaged: boolean): EntryText | 'again' {
    const text = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    this.#depth = -1;
    if (isDamaged) return { text, isDamaged };
    this.#held = text;
    return 'again';
  }

  #release(after: string): EntryText | undefined {
    const text = this.#held;
    this.#held = undefined;
    return text === undefined ? undefined : { text, isDamaged: strayField.test(after) };
  }
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}
