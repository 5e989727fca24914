/**
 * The load generator, a process of its own: reads a job as JSON from its argument, and writes what came of it. Not
 * autocannon, which takes more time for a request than bare node:http and would be what is measured; bench/README.md
 * has the figures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuSeconds } from '../proc.ts';
import { openConnection } from './connection.ts';
import type { Job, Outcome, RequestTemplate } from './job.ts';
import { createSource } from './source.ts';
import { summarise } from './summary.ts';

const patienceMs = 20_000;

const job = JSON.parse(process.argv[2] ?? '') as Job;
process.stdout.write(JSON.stringify(await generate(job)));

async function generate({ url, connections, main, other, ...rest }: Job): Promise<Outcome> {
  const { hostname, port, host } = new URL(url);
  const nextMain = createSource(main, host);
  const nextOther = other && createSource(other.request, host);
  let sent = 0;
  const isWanted = createCheck(main, other?.request);
  let refused = 0;
  let latencies: number[] = [];
  const failure = new AbortController();
  const failed = (error: Error) => {
    failure.abort(error);
  };
  const wait = async (seconds: number) => {
    await sleep(seconds * 1000, undefined, { signal: failure.signal }).catch(() => undefined);
    failure.signal.throwIfAborted();
  };
  const close = Array.from({ length: connections }, () =>
    openConnection({
      host: hostname,
      port: Number(port),
      next: () => (nextOther && ++sent % other.oneIn === 0 ? nextOther() : nextMain()),
      answered(status, ms) {
        if (isWanted(status)) latencies.push(ms);
        else refused++;
      },
      failed,
    }),
  );
  await wait(rest.warmUpSeconds);
  latencies = [];
  refused = 0;
  const usage = process.cpuUsage();
  const cpu = readCpuSeconds(rest.pids);
  const begun = performance.now();
  // A slow server may need longer for its first answer.
  do await wait(rest.seconds);
  while (latencies.length === 0 && performance.now() - begun < patienceMs);
  const seconds = (performance.now() - begun) / 1000;
  const serverSeconds = readCpuSeconds(rest.pids) - cpu;
  const { user, system } = process.cpuUsage(usage);
  for (const each of close) each();
  return {
    ...summarise(latencies, seconds),
    failedPercent: (refused / (refused + latencies.length)) * 100,
    serverMicros: (serverSeconds / latencies.length) * 1e6,
    serverBusy: serverSeconds / seconds,
    generatorBusy: (user + system) / 1e6 / seconds,
  };
}

function createCheck(...templates: (RequestTemplate | undefined)[]): (status: number) => boolean {
  const expected = new Set(templates.map((template) => template?.expected));
  return (status) => expected.has(status);
}
