import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What a process asked of the system, as `strace` saw it. A call that takes a while has two events: others may come between. */
export interface TraceEvent {
  readonly at: 'begin' | 'end';
  readonly call: string;
  /** What the first argument names: a path, or `socket:[…]`. */
  readonly target: string;
  /** Of that, as a number. */
  readonly descriptor: number;
  /** All bytes that are written. */
  readonly bytes: Buffer;
  /** The numbers among the other arguments. */
  readonly numbers: readonly number[];
  /** The rest of the line, in which names of constants stand as they are. */
  readonly tail: string;
}

/** How `strace` must be called for {@link readTrace}. */
export const traceOptions = [
  ...['-f', '-y', '-qq', '-xx', '-s', '10000000', '-e', 'signal=none', '-e'],
  'trace=openat,lseek,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,sendfile,fdatasync,fsync,msync,mkdir,ftruncate,fallocate',
];

/** Reads what it has written down, in its order. */
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
