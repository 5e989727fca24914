import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from '../../../src/index.ts';
import { openStore } from '../../../src/store/drivers.ts';
import { variations } from '../data.ts';
import type { Book } from '../peers/books/books.ts';
import { printTable, readable } from './table.ts';

/** The number of requests per question whose median is printed. */
const repeats = 5;

/** Questions of docs/http-api.md, as requests. */
const questions: readonly [question: string, path: string][] = [
  ['get by id', '/book/4711'],
  ['history of a book', '/book/4711/history'],
  ['page by id', '/books?limit=100'],
  ['page by title', '/books?limit=100&sort=title'],
  ['page by author, descending', '/books?limit=100&sort=-author'],
  ['page by year', '/books?limit=100&sort=year'],
  ['rare word', '/books?limit=100&q=austen'],
  ['common word', '/books?limit=100&q=the'],
  ['common word, by title', '/books?limit=100&q=the&sort=title'],
  ['one letter, by title', '/books?limit=100&q=j&sort=title'],
  ['two words, newest first', '/books?limit=100&q=love+the&sort=-year'],
  ['words of an author', '/books?limit=100&authorWords=stephen+king'],
  ['books of an author', '/books?limit=100&author=Stephen+King'],
  ['years, by title', '/books?limit=100&yearFrom=1990&sort=title'],
  ['count all', '/books?limit=1&count=true'],
  ['count a common word', '/books?limit=1&count=true&q=the'],
  ['count by years', '/books?limit=1&count=true&yearFrom=1900'],
  ['statistics of all', '/stats'],
  ['statistics of a common word', '/stats?q=the'],
  ['statistics of an author', '/stats?author=Stephen+King'],
  ['authors suggested for a letter', '/suggest?field=author&q=j'],
  ['titles suggested for two letters', '/suggest?field=title&q=th'],
  ['corrections of a word', '/corrections?q=tolkein'],
  ['authors by name', '/authors?limit=100'],
  ['search for authors', '/authors?limit=100&q=king'],
];

/** Questions about all books, which are computed once, outside of requests. */
const computed: readonly [question: string, path: string][] = [
  ['duplicates: same', '/duplicates?limit=100'],
  ['duplicates: year', '/duplicates?limit=100&level=year'],
  ['authors by number', '/authors?limit=100&sort=-count'],
  ['spellings of authors', '/authors?limit=100&variants=true'],
  ['duplicates: typo', '/duplicates?limit=100&level=typo'],
];

/** Fills a store, if it is empty, and asks a service on it. */
export async function fillAndAsk(url: string, books: readonly Book[], count: number): Promise<void> {
  await fill(url, books, count);
  await measureQuestions(url);
}

function withMore(path: string, more: number): string {
  return path.replace(/limit=(\d+)/, (_, limit) => `limit=${Number(limit) + more}`);
}

/** Asks a service over HTTP. */
async function measureQuestions(url: string): Promise<void> {
  const credentials = { username: 'bench', password: 'bench-password' };
  const server = await createServer({
    secretToken: 'a-secret-of-this-benchmark-with-40-bytes',
    authUsername: credentials.username,
    authPassword: credentials.password,
    databaseUrl: url,
    sessionHours: 12,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = await fetch(`${base}/token`, { method: 'POST', body: JSON.stringify(credentials) });
  let { token } = ((await login.json()) as { data: { token: string } }).data;
  const renew = async () => {
    const answer = await fetch(`${base}/token/renew`, { method: 'POST', headers: { Authorization: token } });
    ({ token } = ((await answer.json()) as { data: { token: string } }).data);
  };
  const ask = async (path: string) => {
    const begun = performance.now();
    const answer = await fetch(base + path, { headers: { Authorization: token } });
    await answer.arrayBuffer();
    const wait = Number(answer.headers.get('retry-after') ?? 1);
    return { status: answer.status, ms: performance.now() - begun, wait };
  };
  const medianOf = async (path: string) => {
    const all = [];
    // The service keeps answers: another limit is another question, with as much work.
    for (let i = 1; i <= repeats; i++) all.push(await ask(withMore(path, i)));
    const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
    const failed = all.find(({ status }) => status !== 200);
    return { status: failed?.status ?? 200, ms: (times[Math.floor(repeats / 2)] ?? 0).toFixed(1) };
  };
  const place = url.startsWith('file:') ? 'SQLite' : 'MongoDB';
  const rows = [];
  for (const [question, path] of questions) {
    const first = await ask(path);
    rows.push({ question, first: first.ms.toFixed(0), ...(await medianOf(path)) });
  }
  printTable(`${place}, ms a question: the first answer, and the median of ${repeats} more`, rows);
  const later = [];
  for (const [question, path] of computed) {
    await renew();
    const begun = performance.now();
    let refusals = 0;
    for (let answer = await ask(path); answer.status === 503; answer = await ask(path)) {
      refusals++;
      await sleep(answer.wait * 1000);
      await renew();
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    later.push({ question, 'first answer, s': seconds, 'told to wait': refusals, ...(await medianOf(path)) });
  }
  printTable(`${place}, questions about all books: the first answer, and the median of later ones`, later);
  await new Promise((resolve) => server.close(resolve));
}

/** Fills an empty store with varied books, a thousand at a time. */
async function fill(url: string, books: readonly Book[], count: number): Promise<void> {
  const store = await openStore(url);
  if ((await store.find({}, { limit: 1 })).books.length > 0) {
    await store.close();
    return;
  }
  const source = variations(books, count);
  const begun = performance.now();
  const storeChunks = async () => {
    for (;;) {
      const chunk: Omit<Book, 'id'>[] = [];
      while (chunk.length < 1000) {
        const next = source.next();
        if (next.done === true) break;
        const { title, author, year } = next.value;
        chunk.push({ title, author, year });
      }
      if (chunk.length === 0) return;
      await store.createMany(chunk);
    }
  };
  await Promise.all([storeChunks(), storeChunks()]);
  const rate = (count / (performance.now() - begun)) * 1000;
  process.stdout.write(`${readable(count)} books stored, ${readable(rate)} a second\n`);
  await store.close();
}
