/** The work that began between two calls of {@link InFlight.settled}. */
interface Generation {
  count: number;
  onSettled?: () => void;
}

/** Tracks work in flight. */
export class InFlight {
  #current: Generation = { count: 0 };

  /** Records the start of work. Returns the argument of {@link end}. */
  begin(): Generation {
    this.#current.count++;
    return this.#current;
  }

  /** Records the end of work. */
  end(generation: Generation): void {
    if (--generation.count === 0) generation.onSettled?.();
  }

  /** Resolves when the work now in flight has ended; ignores later work. Call it once. */
  settled(): Promise<void> {
    const generation = this.#current;
    this.#current = { count: 0 };
    if (generation.count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      generation.onSettled = resolve;
    });
  }
}
