const maxLoosePieces = 1000;

/** Collects a text from pieces, in about the memory of the text even if they are very short. */
export class TextPieces {
  #joined: string[] = [];
  #loose: string[] = [];
  #length = 0;

  /** The length of the text so far. */
  get length(): number {
    return this.#length;
  }

  append(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    if (this.#loose.push(piece) < maxLoosePieces) return;
    this.#joined.push(this.#loose.join(''));
    this.#loose = [];
  }

  /** Returns the text with one last piece appended, and starts over. */
  take(last: string): string {
    if (this.#length === 0) return last;
    const text = this.#joined.join('') + this.#loose.join('') + last;
    this.#joined = [];
    this.#loose = [];
    this.#length = 0;
    return text;
  }
}
