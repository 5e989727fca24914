// Notices that a row of a file repeats an earlier one.
import { sha256 } from '@noble/hashes/sha2';

const wordsPerSlot = 4;
/** Of the slots, so that the next free one is near. */
const maxFilled = 0.6;

/** The texts of rows that the catalogue has from now on, as digests of 128 bits: up to 54 bytes a text, whatever its length, outside the heap of V8. */
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
