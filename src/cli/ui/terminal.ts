import { styleText } from 'node:util';
import { type Io, forTerminal } from '../io.ts';

export type Style = 'bold' | 'cyan' | 'green' | 'red' | 'yellow';

/** Creates a function that colours text, if standard output is a terminal with colours and `NO_COLOR` is not set. */
export function createPaint({ stdout, env }: Io): (style: Style | undefined, text: string) => string {
  // An empty NO_COLOR does not count (https://no-color.org), but Node honours it.
  const coloured =
    stdout.isTTY === true && !env.NO_COLOR && stdout.hasColors?.({ ...env, NO_COLOR: undefined }) === true;
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

/** Writes a value as a line of JSON. */
export async function writeJson(io: Io, value: unknown): Promise<void> {
  await write(io, forTerminal(io, `${JSON.stringify(value)}\n`));
}

/** Writes to standard output and waits for it; `false` if the reader has gone. */
export async function write({ stdout }: Io, text: string): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(text, resolve));
  return !error;
}
