import type { Io } from '../io.ts';

/** The width of tables and help texts: `COLUMNS`, which `--width` sets, else that of the terminal, if there is one. */
export function widthOf({ env, stdout }: Pick<Io, 'env' | 'stdout'>): number | undefined {
  const { isTTY, columns = 0 } = stdout;
  if (/^[1-9][0-9]{0,5}$/.test(env.COLUMNS ?? '')) return Number(env.COLUMNS);
  if (!isTTY) return undefined;
  return columns > 0 ? columns : 80; // A terminal of unknown width reports 0.
}
