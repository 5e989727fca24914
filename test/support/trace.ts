import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

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
