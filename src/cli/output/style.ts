import { styleText } from 'node:util';
import type { Io } from '../io.ts';

export type Style = 'bold' | 'cyan' | 'green' | 'red' | 'yellow';

/** Colours a text for standard output: on a terminal that has colours, and not where `NO_COLOR` is set. */
export function createPaint({ stdout, env }: Io): (style: Style | undefined, text: string) => string {
  // An empty NO_COLOR is none (https://no-color.org); Node takes it for one.
  const coloured =
    stdout.isTTY === true && !env.NO_COLOR && stdout.hasColors?.({ ...env, NO_COLOR: undefined }) === true;
  return (style, text) =>
    coloured && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
}
