import type { Io } from '../io.ts';

/** The progress of a long operation. While it is shown, nothing else may be written to the terminal. */
export interface Progress {
  start(): void;
  /** @param done Bytes read of the total. @param count Items processed. */
  update(done: number, count: number): void;
  /** Removes it from the screen. Does nothing before the start. */
  stop(): void;
}

/** The screen is updated at most this often. */
const redrawMs = 100;
const widestBar = 30;
const narrowestBar = 5;

export const noProgress: Progress = {
  start: () => undefined,
  update: () => undefined,
  stop: () => undefined,
};

/** A line of the terminal that each text replaces. While it is shown, nothing else may be written to the terminal. */
export interface StatusLine {
  show(text: string): void;
  /** Removes it from the screen. Does nothing if none is shown. */
  clear(): void;
}

/** Creates a line on standard error. Without a terminal, it shows nothing. */
export function createStatusLine({ stderr }: Pick<Io, 'stderr'>): StatusLine {
  let isShown = false;
  return {
    show(text) {
      if (stderr.isTTY !== true) return;
      isShown = true;
      stderr.write(`\r${text.slice(0, lineWidth(stderr))}${eraseRest}`);
    },
    clear() {
      if (isShown) stderr.write(`\r${eraseRest}`);
      isShown = false;
    },
  };
}

/** A line as wide as the terminal would continue on the next one. */
function lineWidth({ columns = 80 }: Io['stderr']): number {
  return columns - 1;
}

/** Creates a progress bar, or numbers alone if the total is unknown. Without a terminal, it shows nothing. */
export function createProgress({ stderr }: Io, total: number | undefined, unit: string): Progress {
  if (stderr.isTTY !== true || total === 0) return noProgress;
  const line = createStatusLine({ stderr });
  let start: number | undefined;
  let drawn = 0;
  const describe = (done: number, count: number, now: number, width: number) => {
    const seconds = Math.max(now - (start ?? now), 1) / 1000;
    const numbers = [`${count} ${unit}`, `${Math.round(count / seconds)}/s`];
    if (total === undefined) return numbers.join(' | ');
    const part = Math.min(done / total, 1);
    const left = done > 0 ? Math.ceil((seconds * Math.max(total - done, 0)) / done) : '-';
    return fit([`${Math.floor(part * 100)}%`, ...numbers, `${left} s left`], width, part);
  };
  const draw = (done: number, count: number) => {
    const now = Date.now();
    if (start === undefined || now - drawn < redrawMs) return;
    drawn = now;
    line.show(describe(done, count, now, lineWidth(stderr)));
  };
  return {
    start: () => {
      start = Date.now();
      draw(0, 0);
    },
    update: draw,
    stop: () => {
      line.clear();
      start = undefined;
    },
  };
}

/** Erases the rest of the line (ECMA-48). */
const eraseRest = '\u001b[K';

/** Fits the bar into the room that the numbers leave. */
function fit(numbers: readonly string[], width: number, part: number): string {
  const text = numbers.join(' | ');
  if (text.length > width) return numbers.join(' ');
  const room = Math.min(width - text.length - 1, widestBar);
  if (room < narrowestBar) return text;
  const full = Math.floor(room * part);
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}
