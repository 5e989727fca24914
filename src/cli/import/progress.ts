import type { Io } from '../io.ts';

/** How far a long piece of work is. */
export interface Progress {
  /** @param done Bytes of the total that were read. @param count Things that were done with them. */
  update(done: number, count: number): void;
  stop(): void;
}

/** A bar on a terminal; nothing where there is none, or when the total is not known. */
export async function createProgress(io: Io, total: number | undefined, unit: string): Promise<Progress> {
  if (io.stderr.isTTY !== true || !total) return { update: () => undefined, stop: () => undefined };
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `{bar} {percentage}% | {count} ${unit} | {rate}/s | {left} s left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    stream: io.stderr,
  });
  const start = Date.now();
  bar.start(total, 0, { count: 0, rate: '-', left: '-' });
  return {
    update(done, count) {
      const seconds = Math.max(Date.now() - start, 1) / 1000;
      const left = done > 0 ? Math.ceil((seconds * (total - done)) / done) : '-';
      bar.update(done, { count, rate: Math.round(count / seconds), left });
    },
    stop: () => {
      bar.stop();
    },
  };
}
