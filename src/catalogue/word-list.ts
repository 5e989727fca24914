import { compareFolded } from './fold.ts';

/** Separates the words. No word contains it. */
const separator = '\n';

/**
 * Many words as one text: it takes little memory, and is searched for a part of a word at the speed of `indexOf`. A word stays in
 * the list when the last book with it is gone.
 */
export class WordList {
  #text = separator;

  /** The length of the text, in UTF-16 code units. */
  get length(): number {
    return this.#text.length;
  }

  /** Adds words, without looking whether they are there already. */
  append(words: readonly string[]): void {
    if (words.length > 0) this.#text += words.join(separator) + separator;
  }

  has(word: string): boolean {
    return this.#text.includes(separator + word + separator);
  }

  hasStart(start: string): boolean {
    return this.#text.includes(separator + start);
  }

  /** The words that contain a part, and do not begin with it; the shortest first. @param most The maximum number of words. */
  containing(part: string, most: number): string[] {
    const text = this.#text;
    const found = new Set<string>();
    for (let at = text.indexOf(part); at !== -1;) {
      const [start, end] = [text.lastIndexOf(separator, at) + 1, text.indexOf(separator, at)];
      if (start < at) found.add(text.slice(start, end));
      at = text.indexOf(part, end);
    }
    return [...found].sort((a, b) => a.length - b.length || compareFolded(a, b)).slice(0, most);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    const text = this.#text;
    for (let start = 1; start < text.length;) {
      const end = text.indexOf(separator, start);
      yield text.slice(start, end);
      start = end + 1;
    }
  }
}
