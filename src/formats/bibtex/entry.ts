/** An entry whose values are still TeX. */
export interface Entry {
  /** In lower case. */
  type: string;
  key: string;
  /** By name in lower case; the first of each. */
  fields: ReadonlyMap<string, Value>;
}

/** A value with its macros replaced, or the macro that is not defined. */
export type Value = { tex: string } | { undefinedMacro: string };

/** The abbreviations of `@string`, by name in lower case. */
export type Macros = Map<string, string>;

/**
 * In characters, of all macros that an entry names. Macros may name others twice, so a few lines can stand for gigabytes; and
 * thousands of entries are held at once.
 */
const maxMacroLength = 16 * 1024;

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The macros that every style of BibTeX defines. */
export function createMacros(): Macros {
  return new Map(months.map((month) => [month, month]));
}

/** Reads the text of an entry; a `@string` defines macros. @throws {SyntaxError} With the reason why it cannot be read. */
export function readEntry(text: string, macros: Macros): Entry {
  const reader = new Reader(text.slice(0, -1), macros);
  const type = reader.take(/@\s*([A-Za-z]+)\s*[{(]/y).toLowerCase();
  if (type === 'comment' || type === 'preamble') return { type, key: '', fields: new Map() };
  const key = type === 'string' ? '' : reader.take(/\s*(?:([^,\s]+)\s*)?(?:,|$)/y, '');
  const fields = reader.takeFields();
  if (type === 'string') for (const [name, value] of fields) if ('tex' in value) macros.set(name, value.tex);
  return { type, key, fields };
}

class Reader {
  readonly #text: string;
  readonly #macros: Macros;
  #at = 0;
  #macroLength = 0;

  constructor(text: string, macros: Macros) {
    this.#text = text;
    this.#macros = macros;
  }

  /** Takes what a sticky pattern matches; returns its group. @param absent What stands for a group that is missing. */
  take(pattern: RegExp, absent?: string): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) throw this.#unexpected();
    this.#at = pattern.lastIndex;
    return found[1] ?? absent ?? found[0];
  }

  /** Takes the fields. A comma may be missing, as in files of Mendeley. */
  takeFields(): Map<string, Value> {
    const fields = new Map<string, Value>();
    for (;;) {
      this.take(/[\s,]*/y);
      if (this.#at >= this.#text.length) return fields;
      const name = this.take(/([^\s={}"(),#%'@]+)\s*=\s*/y).toLowerCase();
      const value = this.#takeValue();
      if (!fields.has(name)) fields.set(name, value);
    }
  }

  /** Takes `{text}`, `"text"`, `1999`, `macro`, or several of these with `#` between them. */
  #takeValue(): Value {
    let value: Value = { tex: '' };
    for (;;) {
      const part = this.#takePart();
      value = 'tex' in part && 'tex' in value ? { tex: value.tex + part.tex } : 'tex' in value ? part : value;
      if (this.take(/\s*#?\s*/y).trim() !== '#') return value;
    }
  }

  #takePart(): Value {
    const opening = this.#text[this.#at];
    if (opening === '{' || opening === '"') return { tex: this.#takeDelimited(opening) };
    const name = this.take(/[^\s={}"(),#%'@]+/y);
    if (/^[0-9]+$/.test(name)) return { tex: name };
    const tex = this.#macros.get(name.toLowerCase());
    if (tex === undefined) return { undefinedMacro: name };
    this.#macroLength += tex.length;
    if (this.#macroLength > maxMacroLength)
      throw new SyntaxError(`its macros are longer than ${maxMacroLength / 1024} KiB`);
    return { tex };
  }

  #takeDelimited(opening: string): string {
    const first = this.#at + 1;
    const pattern = /[{}"]/g;
    pattern.lastIndex = first;
    let depth = 0;
    for (let found = pattern.exec(this.#text); found; found = pattern.exec(this.#text)) {
      const [character] = found;
      if (depth === 0 && character === (opening === '{' ? '}' : '"')) {
        this.#at = found.index + 1;
        return this.#text.slice(first, found.index);
      }
      if (character === '{') depth++;
      else if (character === '}' && --depth < 0) break;
    }
    throw this.#unexpected();
  }

  #unexpected(): SyntaxError {
    const found = JSON.stringify(this.#text.slice(this.#at, this.#at + 30));
    return new SyntaxError(`its fields cannot be read at ${found}`);
  }
}
