import { Buffer } from 'node:buffer';

const minCapacity = 1024;

/**
 * Joins chunks as they come into one buffer, which doubles when it is full. A list of the chunks would cost many times
 * their bytes when they are short.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** @param maxBytes The most that will be appended; no more is allocated. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The memory that it needs to hold this many bytes. */
  capacityFor(length: number): number {
    const { length: capacity } = this.#bytes;
    if (length <= capacity) return capacity;
    return Math.max(length, Math.min(this.#maxBytes, Math.max(minCapacity, 2 * capacity)));
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    const capacity = this.capacityFor(length);
    if (capacity > this.#bytes.length) {
      // Not from Node's pool: a piece of it would keep all of it.
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  /** The bytes so far, as a view that is valid until the next call of {@link append} or {@link clear}. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets the bytes, and keeps the memory for others. */
  clear(): void {
    this.#length = 0;
  }
}
