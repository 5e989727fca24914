import { maxInputLength } from './mutate.ts';

const headerBytes = 8;

/** The input that a thread reads now, in memory that it shares: whoever ends the thread can still see it. */
export class SharedInput {
  readonly memory: SharedArrayBuffer;
  /** The number of inputs so far, and the length of the last one. */
  readonly #header: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory = new SharedArrayBuffer(headerBytes + maxInputLength)) {
    this.memory = memory;
    this.#header = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, headerBytes);
  }

  get count(): number {
    return Atomics.load(this.#header, 0);
  }

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, Atomics.load(this.#header, 1));
  }

  set(bytes: Uint8Array): void {
    this.#bytes.set(bytes);
    Atomics.store(this.#header, 1, bytes.length);
    Atomics.add(this.#header, 0, 1);
  }
}
