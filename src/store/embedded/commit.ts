import { ShelflistError } from '../../errors.ts';
import type { IdRange } from '../ids.ts';
import type { EmbeddedEnvironment } from './environment.ts';

/** What the writes of one transaction share: the step of the counter, and one new version. */
export class Commit {
  readonly #environment: EmbeddedEnvironment;
  readonly #changed: number[] = [];
  readonly #ids: IdRange;
  #nextId: number;
  #more = 0;
  #before = '';

  /** @param creates So many books may be created in it. */
  constructor(environment: EmbeddedEnvironment, creates: number) {
    this.#environment = environment;
    this.#ids = creates > 0 ? environment.takeIds(creates) : { first: 1, last: 0 };
    this.#nextId = this.#ids.first;
  }

  /** The next id. @throws {ShelflistError} `unavailable`: there are none left. */
  takeId(): number {
    if (this.#nextId > this.#ids.last)
      throw new ShelflistError('unavailable', { message: 'there are no ids left' });
    return this.#nextId++;
  }

  /**
   * To be called before a book is put or removed: what is there without its version would be taken for unchanged.
   *
   * @param more How many books there are more than before.
   */
  change(id: number, more: -1 | 0 | 1): void {
    if (this.#changed.length === 0) {
      this.#before = this.#environment.meta.version;
      this.#environment.meta.touch();
    }
    this.#changed.push(id);
    this.#more += more;
  }

  /** To be called after the last write. */
  end(): void {
    const { meta } = this.#environment;
    if (this.#changed.length > 0) meta.noteChanged(this.#before, this.#changed);
    if (this.#more !== 0) meta.books += this.#more;
  }
}
