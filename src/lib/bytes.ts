import { Buffer } from 'node:buffer';

/** Bounds the memory that several holders take together. */
export class ByteBudget {
  readonly maxBytes: number;
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The bytes that all shares hold now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Opens an empty share. Its holder must release it in every case. */
  open(): BudgetShare {
    let bytes = 0;
    return {
      growTo: (wanted) => {
        const more = Math.max(0, wanted - bytes);
        if (this.#heldBytes + more > this.maxBytes) return false;
        this.#heldBytes += more;
        bytes += more;
        return true;
      },
      release: () => {
        this.#heldBytes -= bytes;
        bytes = 0;
      },
    };
  }
}

/** One holder's share of a {@link ByteBudget}. */
export interface BudgetShare {
  /** Raises the share to this many bytes. Returns `false`, and changes nothing, if the budget is too small. */
  growTo(bytes: number): boolean;
  /** Releases all its bytes. The share can be used again. */
  release(): void;
}

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
