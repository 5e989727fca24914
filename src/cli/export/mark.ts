/**
 * What tells a whole export from one that was cut off, in the formats that end anywhere: the first book and the
 * last one say so, in a column or member of their own. No other program is misled: there is no line that is no book
 * (but in the export of an empty catalogue).
 */
export const markName = 'shelflist-export';

/** `whole`: the first book is the last one, or there is none. */
export type Mark = 'begin' | 'end' | 'whole';

/** The names of the columns of a CSV export. */
export function exportHeader(withIds: boolean): string[] {
  return [...(withIds ? ['id'] : []), 'title', 'author', 'year', markName];
}

/** Watches the marks of a file that is read. */
export class MarkWatch {
  #begun = false;
  #ended = false;

  /** @param mark Whatever stands where a mark may be. */
  see(mark: unknown): void {
    if (mark === 'begin') this.expect();
    if (mark === 'end' || mark === 'whole') this.#ended = true;
  }

  /** What is read is an export, even if no book of it is there. */
  expect(): void {
    this.#begun = true;
    this.#ended = false;
  }

  /** Whether the end of the file that was read is not the end of the export. */
  get isCutOff(): boolean {
    return this.#begun && !this.#ended;
  }
}
