import type { Io } from '../io.ts';

/** The progress of a long operation. While it is shown, nothing else may be written to the terminal. */
export interface Progress {
  start(): void;
  /** @param done Bytes read of the total. @param count Items processed. */
  update(done: number, count: number): void;
  /** Removes it from the screen. Does nothing before the start. */
  stop(): void;
}

const widestBar = 30;
const narrowestBar = 5;

/** Shows nothing. */
export const noProgress: Progress = {
  start: () => undefined,
  update: () => undefined,
  stop: () => undefined,
};

/** Creates a progress bar, or numbers alone if the total is unknown. Without a terminal, it shows nothing. */
export async function createProgress(io: Io, total: number | undefined, unit: string): Promise<Progress> {
  if (io.stderr.isTTY !== true || total === 0) return noProgress;
  const { Format, SingleBar } = (await import('cli-progress')).default;
  let start = Date.now();
  let count = 0;
  const bar = new SingleBar({
    format: (options, { progress, value, maxWidth }) => {
      const seconds = Math.max(Date.now() - start, 1) / 1000;
      const numbers = [`${count} ${unit}`, `${Math.round(count / seconds)}/s`];
      if (total === undefined) return numbers.join(' | ').slice(0, maxWidth - 1);
      const left = value > 0 ? Math.ceil((seconds * (total - value)) / value) : '-';
      const all = [`${Math.floor(progress * 100)}%`, ...numbers, `${left} s left`];
      return fit(all, maxWidth - 1, (barsize) => Format.BarFormat(progress, { ...options, barsize }));
    },
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: widestBar,
    hideCursor: true,
    clearOnComplete: true,
    stream: io.stderr,
  });
  return {
    start: () => {
      start = Date.now();
      bar.start(total ?? Infinity, 0);
    },
    update: (done, newCount) => {
      count = newCount;
      bar.update(done);
    },
    stop: () => {
      bar.stop();
    },
  };
}

/** Fits the bar into the room that the numbers leave. */
function fit(numbers: readonly string[], width: number, drawBar: (size: number) => string): string {
  const text = numbers.join(' | ');
  if (text.length > width) return numbers.join(' ').slice(0, width);
  const room = width - text.length - 1;
  return room < narrowestBar ? text : `${drawBar(Math.min(room, widestBar))} ${text}`;
}
