import type { TraceEvent } from './trace.ts';

interface Write {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * A file as a disk has it: what was synced for certain, and what was written since, of which a power cut leaves any part. Made
 * from what the system was asked for, and of nothing that the program says.
 */
export class PoweredFile {
  readonly #name: string;
  #synced = Buffer.alloc(0);
  readonly #since: Write[] = [];
  /** Where the next `write` or `writev` goes, by descriptor. */
  readonly #positions = new Map<number, number>();
  /** Those whose writes are synced by themselves (`O_DSYNC`). */
  readonly #syncing = new Set<number>();
  /** How much of `#since` a sync that has begun will cover. */
  #covered = 0;

  /** @param name How its path ends. */
  constructor(name: string) {
    this.#name = name;
  }

  see(event: TraceEvent): void {
    if (event.call === 'openat') this.#open(event);
    if (!event.target.endsWith(this.#name)) return;
    const { at, call, descriptor, bytes, numbers } = event;
    switch (call) {
      case 'lseek':
        this.#positions.set(descriptor, numbers[0] ?? 0);
        break;
      case 'write':
      case 'writev':
      case 'pwrite64':
        if (at === 'end') this.#write(descriptor, bytes, call === 'pwrite64' ? numbers.at(-1) : undefined);
        break;
      case 'fdatasync':
      case 'fsync':
        if (at === 'begin') this.#covered = this.#since.length;
        else for (const write of this.#since.splice(0, this.#covered)) this.#sync(write);
        break;
      default:
        throw new Error(`what does ${call} do to ${this.#name}?`);
    }
  }

  /** What a power cut may leave: all that was synced, and what `survives` of the rest. */
  after(survives: () => boolean): Buffer {
    const kept = this.#since.filter(survives);
    const length = Math.max(this.#synced.length, ...kept.map(({ offset, bytes }) => offset + bytes.length));
    const image = Buffer.concat([this.#synced], length);
    for (const { offset, bytes } of kept) bytes.copy(image, offset);
    return image;
  }

  #open({ at, tail }: TraceEvent): void {
    const [, descriptor] = / = (\d+)</.exec(tail) ?? [];
    if (at === 'begin' || descriptor === undefined) return;
    if (/O_D?SYNC/.test(tail)) this.#syncing.add(Number(descriptor));
    else this.#syncing.delete(Number(descriptor));
    this.#positions.set(Number(descriptor), 0);
  }

  #write(descriptor: number, bytes: Buffer, place?: number): void {
    const offset = place ?? this.#positions.get(descriptor) ?? 0;
    if (place === undefined) this.#positions.set(descriptor, offset + bytes.length);
    const write = { offset, bytes };
    if (this.#syncing.has(descriptor)) this.#sync(write);
    else this.#since.push(write);
  }

  #sync({ offset, bytes }: Write): void {
    const length = Math.max(this.#synced.length, offset + bytes.length);
    if (length > this.#synced.length) this.#synced = Buffer.concat([this.#synced], length);
    bytes.copy(this.#synced, offset);
  }
}
