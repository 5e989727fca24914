const maxLoosePieces = 1000;

/** Collects a text whose pieces may be very short, at about the memory of the text. */
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

  /** Gives the text, with one more piece at its end, and begins anew. */
  take(last: string): string {
    if (this.#length === 0) return last;
    const text = this.#joined.join('') + this.#loose.join('') + last;
    this.#joined = [];
    this.#loose = [];
    this.#length = 0;
    return text;
  }
}
