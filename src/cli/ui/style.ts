import { styleText } from 'node:util';
import type { Io } from '../io.ts';

export type Style = 'bold' | 'cyan' | 'green' | 'red' | 'yellow';

/** Creates a function that colours text, if standard output is a terminal with colours and `NO_COLOR` is not set. */
export function createPaint({ stdout, env }: Io): (style: Style | undefined, text: string) => string {
  // An empty NO_COLOR does not count (https://no-color.org), but Node honours it.
  const coloured =
    stdout.isTTY === true && !env.NO_COLOR && stdout.hasColors?.({ ...env, NO_COLOR: undefined }) === true;
  return (style, text) =>
    coloured && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
}
