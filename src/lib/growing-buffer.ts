import { Buffer } from 'node:buffer';

const minCapacity = 1024;

/**
 * Appends chunks to one buffer, which doubles when it is full. A list of short chunks would take many times the memory
 * of their bytes.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** @param maxBytes The maximum that will be appended; no more is allocated. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The memory needed to hold this many bytes. */
  capacityFor(length: number): number {
    const { length: capacity } = this.#bytes;
    if (length <= capacity) return capacity;
    return Math.max(length, Math.min(this.#maxBytes, Math.max(minCapacity, 2 * capacity)));
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    const capacity = this.capacityFor(length);
    if (capacity > this.#bytes.length) {
      // Not from Node's pool: a slice would keep the whole pool alive.
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

  /** Discards the bytes, and keeps the memory for reuse. */
  clear(): void {
    this.#length = 0;
  }
}
