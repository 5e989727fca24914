/**
 * The load generator, a separate process: reads a job as JSON from its input, and writes the result. It replaces
 * autocannon, which takes more time per request than bare node:http and would limit the results; bench/README.md
 * has the figures.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuSeconds } from '../proc.ts';
import { openConnection } from './connection.ts';
import type { Job, Outcome, RequestTemplate } from './job.ts';
import { createSource } from './source.ts';
import { summarise } from './summary.ts';

const patienceMs = 20_000;

const job = JSON.parse(readFileSync(0, 'utf8')) as Job;
process.stdout.write(JSON.stringify(await generate(job)));

async function generate({ url, connections, main, other, ...rest }: Job): Promise<Outcome> {
  const { hostname, port, host } = new URL(url);
  const nextMain = createSource(main, host);
  const nextOther = other && createSource(other.request, host);
  let sent = 0;
  const isWanted = createCheck(main, other?.request);
  let failed = 0;
  let latencies: number[] = [];
  const open = new Map<number, () => void>();
  const connect = (index: number) => {
    const close = openConnection({
      host: hostname,
      port: Number(port),
      next: () => (nextOther && ++sent % other.oneIn === 0 ? nextOther() : nextMain()),
      answered(status, ms) {
        if (isWanted(status)) latencies.push(ms);
        else failed++;
      },
      lost() {
        failed++;
        connect(index);
      },
    });
    open.set(index, close);
  };
  for (let index = 0; index < connections; index++) connect(index);
  await sleep(rest.warmUpSeconds * 1000);
  latencies = [];
  failed = 0;
  const usage = process.cpuUsage();
  const cpu = readCpuSeconds(rest.pids);
  const begun = performance.now();
  // A slow server may need longer for its first response.
  do await sleep(rest.seconds * 1000);
  while (latencies.length === 0 && performance.now() - begun < patienceMs);
  const seconds = (performance.now() - begun) / 1000;
  const serverSeconds = readCpuSeconds(rest.pids) - cpu;
  const { user, system } = process.cpuUsage(usage);
  for (const close of open.values()) close();
  return {
    ...summarise(latencies, seconds),
    failedPercent: (failed / (failed + latencies.length)) * 100,
    serverMicros: (serverSeconds / latencies.length) * 1e6,
    serverBusy: serverSeconds / seconds,
    generatorBusy: (user + system) / 1e6 / seconds,
  };
}

function createCheck(...templates: (RequestTemplate | undefined)[]): (status: number) => boolean {
  const expected = new Set(templates.map((template) => template?.expected));
  return (status) => expected.has(status);
}
