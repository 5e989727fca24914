import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from '../../../src/index.ts';
import { openStore } from '../../../src/store/drivers.ts';
import type { Book } from '../peers/books/books.ts';
import { printTable } from './table.ts';

const crawlers = 100;
/** What the page asks while somebody reads. */
const asked = [
  '/books?limit=100&count=true',
  '/books?limit=100&q=har&count=true',
  '/suggest?field=author&q=row',
  '/stats',
  '/book/7',
  '/books?limit=100&sort=title',
  '/authors?limit=50',
];
const pauseMs = 300;

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Sends a request from an address of this machine, as if it was another one. */
async function ask(url: string, agent: Agent, localAddress: string, accept: string): Promise<Answered> {
  const begun = performance.now();
  const request = get(url, { agent, localAddress, headers: { accept } });
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
  return { status: response.statusCode ?? 0, text, ms: performance.now() - begun };
}

/** Follows all links of the page, at once, whatever it is told. */
async function crawl(url: string, address: string, end: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const found = new Set(['/']);
  let count = 0;
  for (const path of found) {
    if (performance.now() >= end) break;
    const { status, text } = await ask(url + path, agent, address, 'text/html');
    count++;
    if (status !== 200) found.add(`${path}${path.includes('?') ? '&' : '?'}again=${count}`);
    for (const [, link = ''] of text.matchAll(/href="(\?[^"]*)"/g))
      found.add(`/${link.replaceAll('&amp;', '&')}`);
  }
  agent.destroy();
  return count;
}

/** Reads as a person does, without a token; returns the times of the answers, in milliseconds. */
async function read(url: string, end: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let i = 0; performance.now() < end; i++) {
    const { status, ms } = await ask(`${url}${asked[i % asked.length] ?? ''}`, agent, '127.0.2.1', '*/*');
    if (status !== 200) throw new Error(`a reader got ${status}`);
    times.push(ms);
    await sleep(pauseMs);
  }
  agent.destroy();
  return times;
}

/** Measures what a reader of a public catalogue waits, without crawlers and with 100 that ignore robots.txt. */
export async function measureCrawlers(books: readonly Book[], seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crawlers-'));
  const store = await openStore(`file:${folder}`);
  for (let from = 0; from < books.length; from += 1000)
    await store.createMany(books.slice(from, from + 1000));
  const server = await createServer({
    secretToken: 'a secret of the benchmark, which has more than 32 bytes',
    authUsername: 'librarian',
    authPassword: 'correct horse battery staple',
    store,
    page: true,
    publicRead: true,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rows = [];
  for (const count of [0, crawlers, 0, crawlers]) {
    const end = performance.now() + seconds * 1000;
    const [times, ...crawled] = await Promise.all([
      read(url, end),
      ...Array.from({ length: count }, (_, i) => crawl(url, `127.0.1.${i + 1}`, end)),
    ]);
    times.sort((a, b) => a - b);
    const at = (part: number) => (times[Math.floor(times.length * part)] ?? NaN).toFixed(1);
    const answers = crawled.reduce((sum, each) => sum + each, 0);
    rows.push({ crawlers: count, 'their answers': answers, 'reader p50 ms': at(0.5), 'p99 ms': at(0.99) });
  }
  printTable('A reader of a public catalogue', rows);
  server.close();
  await once(server, 'close');
  await store.close();
  await rm(folder, { recursive: true });
}
