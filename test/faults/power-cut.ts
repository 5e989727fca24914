import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** An operation on a file: a write at a position, or a truncation. */
type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly length: number };

/**
 * The state of a file on a disk: the synced bytes, and the writes since, of which any part may survive a power cut. It is
 * built from system calls only, not from what the program reports.
 */
export class PoweredFile {
  readonly #name: string;
  #synced: Buffer = Buffer.alloc(0);
  readonly #since: Change[] = [];
  /** Where the next `write` or `writev` goes, by descriptor. */
  readonly #positions = new Map<number, number>();
  /** The descriptors whose writes are synced automatically (`O_DSYNC`). */
  readonly #syncing = new Set<number>();
  /** The length of `#since` that a running sync covers. */
  #covered = 0;

  /** @param name The end of its path. */
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
      case 'ftruncate':
        if (at === 'end') this.#change(descriptor, { length: numbers[0] ?? 0 });
        break;
      case 'fdatasync':
      case 'fsync':
        if (at === 'begin') this.#covered = this.#since.length;
        else this.#synced = this.#since.splice(0, this.#covered).reduce(apply, this.#synced);
        break;
      default:
        throw new Error(`what does ${call} do to ${this.#name}?`);
    }
  }

  /** A possible state after a power cut: the synced bytes, and what `survives` of the rest. */
  after(survives: () => boolean): Buffer {
    return this.#since.filter(survives).reduce(apply, Buffer.from(this.#synced));
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
    this.#change(descriptor, { offset, bytes });
  }

  #change(descriptor: number, change: Change): void {
    if (this.#syncing.has(descriptor)) this.#synced = apply(this.#synced, change);
    else this.#since.push(change);
  }
}

function apply(image: Buffer, change: Change): Buffer {
  if ('length' in change) return Buffer.concat([image], change.length);
  const { offset, bytes } = change;
  const longer = Buffer.concat([image], Math.max(image.length, offset + bytes.length));
  bytes.copy(longer, offset);
  return longer;
}

/** A system call in the output of `strace`. A long call has two events, with others between them. */
export interface TraceEvent {
  readonly at: 'begin' | 'end';
  readonly call: string;
  /** The file of the first argument: a path, or `socket:[…]`. */
  readonly target: string;
  /** The descriptor of that file. */
  readonly descriptor: number;
  /** All written bytes. */
  readonly bytes: Buffer;
  /** The numbers among the other arguments. */
  readonly numbers: readonly number[];
  /** The rest of the line, which contains names of constants. */
  readonly tail: string;
}

/** The options of `strace` for {@link readTrace}. */
export const traceOptions = [
  ...['-f', '-y', '-qq', '-xx', '-s', '10000000', '-e', 'signal=none', '-e'],
  'trace=openat,lseek,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,sendfile,fdatasync,fsync,msync,mkdir,ftruncate,fallocate',
];

/** Reads the output of `strace`, in order. */
export async function* readTrace(file: string): AsyncGenerator<TraceEvent> {
  const begun = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, process = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    if (resumed !== null) {
      const text = begun.get(process);
      begun.delete(process);
      if (text !== undefined) yield parse('end', text + rest.slice(resumed[0].length));
    } else if (rest.endsWith('<unfinished ...>')) {
      begun.set(process, rest);
      yield parse('begin', rest);
    } else if (/^\w+\(/.test(rest)) {
      yield parse('begin', rest);
      yield parse('end', rest);
    }
  }
}

function parse(at: TraceEvent['at'], text: string): TraceEvent {
  const [, call = '', descriptor = '', target = ''] = /^(\w+)\((?:(\d+)<([^>]*)>)?/.exec(text) ?? [];
  const strings = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decode(hex));
  const tail = text.slice(text.lastIndexOf('"') + 1).replace(/^[^,]*<[^>]*>/, '');
  const numbers = [...(tail.split(')')[0] ?? '').matchAll(/(?<=, )-?\d+/g)].map(([number]) => Number(number));
  return {
    at,
    call,
    target: decode(target).toString(),
    descriptor: Number(descriptor),
    bytes: Buffer.concat(strings),
    numbers,
    tail,
  };
}

/** With `-xx` each byte is `\xHH`. */
function decode(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
