// Notices that a row repeats an earlier one.
import { sha256 } from '@noble/hashes/sha2';
import type { Unit } from '../formats/problems.ts';

/** Where a row is. `file` tells several files of an import apart. */
interface Place {
  readonly unit: Unit;
  readonly line: number;
  readonly file?: string | undefined;
}

/** The rows that an import has had so far, of all its files. */
export class EarlierRows {
  /** The texts of the books that the catalogue has. */
  readonly texts = new SeenTexts();
  /** For each id, where it was first seen. */
  readonly ids = new Map<number, Place>();
  /** The number of chunks that were sent. */
  chunks = 0;
}

const wordsPerSlot = 4;
/** Of the slots, so that the next free one is near. */
const maxFilled = 0.6;

/** A set of the texts of rows that the catalogue has: 128-bit digests, at most 54 bytes each, outside the heap of V8. */
export class SeenTexts {
  #slots = new Uint32Array(wordsPerSlot * 1024);
  #count = 0;

  has(text: string): boolean {
    return this.#slots[this.#find(digestOf(text))] !== 0;
  }

  add(text: string): void {
    if (this.#count >= (this.#slots.length / wordsPerSlot) * maxFilled) this.#grow();
    this.#put(digestOf(text));
  }

  /** The place of a digest, or the free place where it would be. */
  #find(digest: Uint32Array): number {
    const size = this.#slots.length;
    const [first = 0, second = 0, third = 0, fourth = 0] = digest;
    for (let at = (first * wordsPerSlot) % size; ; at = (at + wordsPerSlot) % size) {
      const slots = this.#slots;
      if (slots[at] === 0) return at;
      if (
        slots[at] === first &&
        slots[at + 1] === second &&
        slots[at + 2] === third &&
        slots[at + 3] === fourth
      )
        return at;
    }
  }

  #put(digest: Uint32Array): void {
    const at = this.#find(digest);
    if (this.#slots[at] === 0) this.#count++;
    this.#slots.set(digest, at);
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#count = 0;
    for (let at = 0; at < old.length; at += wordsPerSlot)
      if (old[at] !== 0) this.#put(old.subarray(at, at + wordsPerSlot));
  }
}

/** The first word is not 0, which marks a free slot. */
function digestOf(text: string): Uint32Array {
  const bytes = sha256(text);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, wordsPerSlot).slice();
  words[0] ||= 1;
  return words;
}
