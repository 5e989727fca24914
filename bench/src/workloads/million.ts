import { setTimeout as sleep } from 'node:timers/promises';
import { makeBooks } from '../data.ts';
import { generateLoad } from '../generator.ts';
import { readMemoryMb, resetPeak } from '../proc.ts';
import { settle } from '../seed.ts';
import type { ServerProcess } from '../server-process.ts';
import { ours } from '../targets.ts';
import { requests, tryRequest } from './requests.ts';
import type { Sample, Workload } from './workload.ts';

/** The number of readers of one book during the list: few, so they wait for the list and not for each other. */
const otherReaders = 8;

/** Reads a list that is too long for memory as fast as it arrives, and again beside other requests. */
export const million: Workload = {
  name: 'million',
  title: 'The list of 1,000,000 books',
  stores: ['embedded', 'mongodb'],
  targets: () => [ours.name],
  compared: { figure: 'totalMs', with: ours.name },
  async measure({ stage, store, isSmoke }) {
    const database = await stage.seeded(store, makeBooks(isSmoke ? 20_000 : 1_000_000));
    const server = await stage.start(ours, store, { database });
    try {
      const headers = await stage.logIn(ours, server.url);
      await settle(server);
      return await measureList(server, headers);
    } finally {
      await server.stop();
    }
  },
};

async function measureList(server: ServerProcess, headers: Record<string, string>): Promise<Sample> {
  const { pid, url } = server;
  const idleMb = readMemoryMb([pid], 'VmRSS');
  const idleAnonMb = readMemoryMb([pid], 'RssAnon');
  resetPeak(pid);
  const watch = watchAnonymous(pid);
  const { firstByteMs, totalMs } = await readList(url, headers);
  const { template } = await tryRequest(url, requests.book, headers);
  const list = readListAgainAndAgain(url, headers);
  const meanwhile = await generateLoad({
    url,
    connections: otherReaders,
    warmUpSeconds: 0.2,
    seconds: Math.min(5, Math.max(0.5, totalMs / 1000)),
    main: template,
    pids: [pid],
  });
  await list.stop();
  return {
    idleMb,
    peakAboveMb: readMemoryMb([pid], 'VmHWM') - idleMb,
    anonAboveMb: (await watch.stop()) - idleAnonMb,
    firstByteMs,
    totalMs,
    perSecondMeanwhile: meanwhile.perSecond,
    p99MsMeanwhile: meanwhile.p99Ms,
  };
}

async function readList(url: string, headers: Record<string, string>, signal?: AbortSignal) {
  const begun = performance.now();
  const { body } = await fetch(`${url}/books`, { headers, ...(signal && { signal }) });
  let firstByteMs: number | undefined;
  const reader = body?.getReader();
  while (reader !== undefined && !(await reader.read()).done) firstByteMs ??= performance.now() - begun;
  return { firstByteMs: firstByteMs ?? 0, totalMs: performance.now() - begun };
}

function readListAgainAndAgain(url: string, headers: Record<string, string>): { stop(): Promise<void> } {
  const end = new AbortController();
  const reading = (async () => {
    while (!end.signal.aborted) await readList(url, headers, end.signal);
  })();
  return {
    async stop() {
      end.abort();
      await reading.catch(() => undefined);
    },
  };
}

/** Samples anonymous memory, because the kernel keeps no peak of it. */
function watchAnonymous(pid: number): { stop(): Promise<number> } {
  const end = new AbortController();
  let peak = 0;
  const watching = (async () => {
    while (!end.signal.aborted) {
      peak = Math.max(peak, readMemoryMb([pid], 'RssAnon'));
      await sleep(20, undefined, { signal: end.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      end.abort();
      await watching;
      return peak;
    },
  };
}
