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
