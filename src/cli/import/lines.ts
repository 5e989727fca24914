/** The lines of a text that is read piece by piece, as far as they may still be asked for. */
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

  /** The lines from one to another, both included. */
  between(from: number, to: number): string {
    return this.#lines.slice(from - this.#first, to - this.#first + 1).join('\n');
  }

  /** Forgets what stands before a line; not each time, because that costs more than to hold a few. */
  forgetBefore(line: number): void {
    if (line - this.#first < 1000) return;
    this.#lines.splice(0, line - this.#first);
    this.#first = line;
  }
}
