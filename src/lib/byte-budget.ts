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

  /** Opens a share, which is empty. Its holder releases it in any case. */
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

/** What one holder has of a {@link ByteBudget}. */
export interface BudgetShare {
  /** Raises the share to this many bytes; `false`, and no change, if the budget does not have them. */
  growTo(bytes: number): boolean;
  /** Gives everything back. The share can be used again. */
  release(): void;
}
