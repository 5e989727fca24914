import type { Io } from './io.ts';

/** How far a long piece of work is. While it is shown, nothing else may be written to the terminal. */
export interface Progress {
  start(): void;
  /** @param done Bytes of the total that were read. @param count Things that were done with them. */
  update(done: number, count: number): void;
  /** Takes it off the screen. Does nothing before the start. */
  stop(): void;
}

const widestBar = 30;
const narrowestBar = 5;

/** For work that is not to be shown. */
export const noProgress: Progress = {
  start: () => undefined,
  update: () => undefined,
  stop: () => undefined,
};

/** A bar on a terminal, or numbers alone when the total is not known; nothing where there is no terminal. */
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

/** The numbers come first: the bar gets what room they leave. */
function fit(numbers: readonly string[], width: number, drawBar: (size: number) => string): string {
  const text = numbers.join(' | ');
  if (text.length > width) return numbers.join(' ').slice(0, width);
  const room = width - text.length - 1;
  return room < narrowestBar ? text : `${drawBar(Math.min(room, widestBar))} ${text}`;
}
