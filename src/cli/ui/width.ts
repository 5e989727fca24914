import type { Io } from '../io.ts';

/** The width of the terminal, if there is one. A terminal of unknown width reports 0. */
export function widthOf({ stdout: { isTTY, columns = 0 } }: Io): number | undefined {
  if (!isTTY) return undefined;
  return columns > 0 ? columns : 80;
}
