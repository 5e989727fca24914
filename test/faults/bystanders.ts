import { Agent, request } from 'node:http';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

/**
 * A separate process with well-behaved clients that read one book repeatedly, each on its own connection:
 * `bystanders.ts URL TOKEN CLIENTS`. Sent a number, it replies with a {@link Lap} of that many requests.
 */

/** The results of a number of requests. */
export interface Lap {
  count: number;
  /** Those that were not answered with 200. */
  failed: number;
  /** The 95th percentile of how long they took, and the longest. */
  p95: number;
  max: number;
}

const [url = '', token = '', clients = '8'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) });
let times: number[] = [];
let failed = 0;
let wanted = Infinity;

function readBook(): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}/book/1`, { agent, headers: { Authorization: token } }, (response) => {
      response.resume().once('end', () => {
        resolve(response.statusCode ?? 0);
      });
    })
      .once('error', reject)
      .end();
  });
}

function tell(): void {
  const sorted = times.sort((a, b) => a - b);
  const count = sorted.length;
  const lap: Lap = {
    count,
    failed,
    p95: sorted[Math.ceil(count * 0.95) - 1] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
  process.send?.(lap);
  wanted = Infinity;
}

async function keepReading(): Promise<void> {
  while (process.connected) {
    const begun = performance.now();
    const status = await readBook().catch(() => 0);
    times.push(performance.now() - begun);
    if (status !== 200) failed++;
    if (times.length >= wanted) tell();
    await setTimeout(5); // Clients pause between requests.
  }
}

process.on('message', (count: number) => {
  times = [];
  failed = 0;
  wanted = count;
});
await Promise.all(Array.from({ length: Number(clients) }, keepReading));
agent.destroy();
