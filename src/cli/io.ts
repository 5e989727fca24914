import type { ReadStream, WriteStream } from 'node:tty';
import type { Readable } from 'node:stream';
import { wrapText } from '../lib/wrap-text.ts';
import { styleText } from 'node:util';

/** A paragraph of a help text. */
export function paragraph(text: string): string {
  return `${wrapText(text, 80).join('\n')}\n`;
}

/** The streams and environment of a command. They are passed in, so that nothing is read on import. */
export interface Io {
  readonly stdin: Readable & Partial<Pick<ReadStream, 'isTTY'>>;
  /** Results only. */
  readonly stdout: NodeJS.WritableStream &
    Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows' | 'hasColors'>>;
  /** Progress, notices and errors. */
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Whether messages are left out. Default false. */
  readonly isQuiet?: boolean;
}

/** A number with its noun: `1 book`, `2 books`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Writes a message that is not a result. */
export function notice(io: Io, text: string): void {
  if (io.isQuiet !== true) show(io, text);
}

/** Writes what a question is about, also with `--quiet`. */
export function show(io: Io, text: string): void {
  io.stderr.write(`${plainLines(text)}\n`);
}

/**
 * The command that runs this program. Installed by npm in a folder, it is not on the path. In another folder, `npx` would
 * fetch a package of this name, which may be somebody else's; `--no-install` makes it refuse (`--no` would take the options that follow).
 */
export function programName({ env }: Io): string {
  return env.npm_execpath === undefined ? 'shelflist' : 'npx --no-install shelflist';
}

/** Names this program in a message as {@link programName} does. */
export function withProgramName(io: Io, message: string): string {
  return message.replaceAll('`shelflist ', `\`${programName(io)} `);
}

/** Quotes a path for a shell, if necessary. */
export function shellWord(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Replaces control characters, line breaks and changes of writing direction by spaces. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- it removes control characters.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ');
}

/** The same, but keeps line breaks. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/**
 * Escapes what a terminal would obey or show in another order, as JSON does: `\\u001b`. Line ends and tabs stay. Where output is
 * not a terminal, it stays as it is.
 */
export function forTerminal({ stdout }: Pick<Io, 'stdout'>, text: string): string {
  if (stdout.isTTY !== true) return text;
  return text.replace(
    // eslint-disable-next-line no-control-regex -- it escapes control characters.
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Removes the value of an unknown option from a message: it may be a password. */
export function withoutValue(message: string): string {
  return message
    .replace(/(unknown option '--[^=']*)=[^]*'/, "$1'")
    .replace(/(unknown option '-[^-'])[^]*'/, "$1'");
}

/**
 * A time for people, in their time zone: `2026-11-21 09:12:03`. Programs get RFC 3339 in UTC instead.
 *
 * @param time A date, its RFC 3339 text, or Unix seconds.
 */
export function formatTime(time: Date | string | number): string {
  const date = typeof time === 'number' ? new Date(time * 1000) : new Date(time);
  const digits = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(digits).join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(digits).join(':')}`;
}

export type Style = 'bold' | 'cyan' | 'green' | 'red' | 'yellow';

/** Whether standard output is a terminal with colours, and `NO_COLOR` is not set. */
export function hasColours({ stdout, env }: Io): boolean {
  // An empty NO_COLOR does not count (https://no-color.org), but Node honours it.
  return (
    stdout.isTTY === true && !env.NO_COLOR && stdout.hasColors?.({ ...env, NO_COLOR: undefined }) === true
  );
}

/** Creates a function that styles text, if standard output {@link hasColours}. */
export function createPaint(io: Io): (style: Style | undefined, text: string) => string {
  const coloured = hasColours(io);
  return (style, text) =>
    coloured && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
}

/** The width of tables and help texts: `COLUMNS`, which `--width` sets, else that of the terminal, if there is one. */
export function widthOf({ env, stdout }: Pick<Io, 'env' | 'stdout'>): number | undefined {
  const { isTTY, columns = 0 } = stdout;
  if (/^[1-9][0-9]{0,5}$/.test(env.COLUMNS ?? '')) return Number(env.COLUMNS);
  if (!isTTY) return undefined;
  return columns > 0 ? columns : 80; // A terminal of unknown width reports 0.
}

/** Writes a result; `false` if it is not written. */
export function writeJson(io: Io, value: unknown): Promise<boolean> {
  return write(io, forTerminal(io, `${JSON.stringify(value)}\n`));
}

/** Writes to standard output and waits for it; `false` if the reader has gone, or the disk is full. */
export async function write(
  { stdout }: { stdout: NodeJS.WritableStream },
  data: string | Uint8Array,
): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(data, resolve));
  return !error;
}
