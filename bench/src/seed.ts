import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.ts';
import type { Book } from './peers/books/books.ts';
import { readCpuSeconds } from './proc.ts';
import type { ServerProcess } from './server-process.ts';

const booksAtOnce = 50_000;

/** Imports books into shelflist, and waits for its background work. */
export async function seed(
  server: ServerProcess,
  headers: Readonly<Record<string, string>>,
  books: readonly Book[],
): Promise<void> {
  for (let start = 0; start < books.length; start += booksAtOnce) {
    const { status, body } = await ask(`${server.url}/books`, {
      method: 'POST',
      headers,
      body: JSON.stringify(books.slice(start, start + booksAtOnce)),
    });
    if (status !== 200) throw new Error(`the books were answered with ${status}: ${body.slice(0, 200)}`);
  }
  await settle(server);
}

/** Waits until a server is nearly idle. */
export async function settle(server: ServerProcess): Promise<void> {
  const stepMs = 250;
  let quiet = 0;
  let before = readCpuSeconds(server.pids());
  for (let waited = 0; quiet < 2 && waited < 60_000; waited += stepMs) {
    await sleep(stepMs);
    const now = readCpuSeconds(server.pids());
    quiet = now - before <= 0.01 ? quiet + 1 : 0;
    before = now;
  }
}
