import type { ReadStream, WriteStream } from 'node:tty';

/** What a command may touch of the world around it, handed in so that nothing reads it at import. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>;
  /** Results, and nothing else. */
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  /** Everything that is not a result: progress, notices, errors. */
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** A number of things in words: `1 book`, `2 books`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Tells the person at the terminal something that is no result. */
export function notice(io: Io, text: string): void {
  io.stderr.write(`${text}\n`);
}
