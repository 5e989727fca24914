/** Answers that began between two askings of {@link UnderWay.none}. */
interface Generation {
  count: number;
  whenDone?: () => void;
}

/** The answers under way. */
export class UnderWay {
  #newest: Generation = { count: 0 };

  /** Gives what {@link ended} needs. */
  began(): Generation {
    this.#newest.count++;
    return this.#newest;
  }

  ended(generation: Generation): void {
    if (--generation.count === 0) generation.whenDone?.();
  }

  /** Resolves when those are over that are under way now. To be called once. */
  none(): Promise<void> {
    const generation = this.#newest;
    this.#newest = { count: 0 };
    if (generation.count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      generation.whenDone = resolve;
    });
  }
}
