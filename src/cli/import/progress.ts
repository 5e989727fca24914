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
    format: `{bar} {percentage}% | {count} ${unit} | {rate}/s | {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    stream: io.stderr,
  });
  const start = Date.now();
  bar.start(total, 0, { count: 0, rate: 0 });
  return {
    update(done, count) {
      const seconds = (Date.now() - start) / 1000;
      bar.update(Math.min(done, total), { count, rate: seconds > 0 ? Math.round(count / seconds) : 0 });
    },
    stop: () => {
      bar.stop();
    },
  };
}
