import type { Readable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';

/** What a command may touch of the world around it, handed in so that nothing reads it at import. */
export interface Io {
  readonly stdin: Readable & Partial<Pick<ReadStream, 'isTTY'>>;
  /** Results, and nothing else. */
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;
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
  io.stderr.write(`${plainLines(text)}\n`);
}

/** What a person types to run this program: what npm has installed in a folder is not on the path. */
export function programName({ env }: Io): string {
  return env.npm_execpath === undefined ? 'shelflist' : 'npx shelflist';
}

/** A path as a shell takes it for one word. */
export function shellWord(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** A text on one line that cannot steer the terminal, nor turn its text round: what would becomes a space. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it is for.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ');
}

/** The same, but its line breaks stay. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** What stands behind an option that does not exist may be a password. */
export function withoutValue(message: string): string {
  return message.replace(/(unknown option '-[^=']*)=[^]*?'/, "$1'");
}
