/** How many answers are under way, and when there are none. */
export class UnderWay {
  #count = 0;
  #waiting: (() => void)[] = [];

  began(): void {
    this.#count++;
  }

  ended(): void {
    if (--this.#count > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when there are none. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
