/** The last lines of a text that is read piece by piece. */
export class LineLog {
  /** The number of the first line that is held. */
  #first = 1;
  readonly #lines = [''];
  #endsInCr = false;

  push(text: string): void {
    const [head = '', ...rest] = (this.#endsInCr ? text.replace(/^\n/, '') : text).split(/\r\n|\n|\r/);
    this.#endsInCr = text === '' ? this.#endsInCr : text.endsWith('\r');
    this.#lines.push((this.#lines.pop() ?? '') + head, ...rest);
  }

  /** The lines from one to another, inclusive. */
  between(from: number, to: number): string {
    return this.#lines.slice(from - this.#first, to - this.#first + 1).join('\n');
  }

  /** Discards what precedes a line, but not on each call: holding some lines is cheaper. */
  forgetBefore(line: number): void {
    if (line - this.#first < 1000) return;
    this.#lines.splice(0, line - this.#first);
    this.#first = line;
  }
}
