import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ask } from '../ask.ts';
import { variations } from '../data.ts';
import { generateLoad } from '../generator.ts';
import { readMemoryMb } from '../proc.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Stage } from '../stage.ts';
import { ours, type Store } from '../targets.ts';
import { repeat, timeCommand } from './processes.ts';
import { requests, tryRequest } from './requests.ts';
import type { Sample, Setting, Workload } from './workload.ts';

const importLine = 'import by the CLI';
const emptyStart = 'start, empty store';
const fullStart = 'start';
const creates = 'creates until searchable, 64 connections';
/** A catalogue is searchable when a search of a word takes at most this long: the goal for each query. */
const searchableMs = 100;

/** Questions by the name of their line: common ones, and hard ones. */
const questions: Readonly<Record<string, string>> = {
  'q=hug misérables': '/books?q=hug+mis%C3%A9rables&limit=100',
  'author=…&yearFrom=1800': '/books?author=jane+austen&yearFrom=1800&limit=1000',
  'sort=-year&limit=2': '/books?sort=-year&limit=2',
  'yearTo=1899&count': '/books?yearTo=1899&limit=1&count=true',
  'count of all': '/books?limit=1&count=true',
  'sort=title, first page': '/books?sort=title&limit=100',
  'no match': '/books?q=zzzzqq&limit=100',
  'two words': '/books?q=harry+row&limit=100',
  'q=harry&sort=title': '/books?q=harry&sort=title&limit=100',
  'q=the&sort=title': '/books?q=the&sort=title&limit=100',
  'stats of all': '/stats',
  'stats of q=the': '/stats?q=the',
  'stats of yearFrom=1990': '/stats?yearFrom=1990',
  'suggest an author: a': '/suggest?field=author&q=a',
  'suggest an author: jane a': '/suggest?field=author&q=jane+a',
  'suggest a title: the': '/suggest?field=title&q=the',
};

/** Measures a large catalogue: import, start, and queries. */
export function createScale(name: string, count: number): Workload {
  return {
    name,
    title: `A catalogue of ${count.toLocaleString('en')} books`,
    stores: ['embedded'],
    // The creates come last, because they change the catalogue.
    targets: () => [importLine, emptyStart, fullStart, ...Object.keys(questions), creates],
    compared: { figure: 'ms', with: emptyStart },
    async measure(setting, target) {
      const books = setting.isSmoke ? 20_000 : count;
      if (target === importLine) return importAll(setting, name, books);
      const database = target === emptyStart ? undefined : databaseOf(setting.stage, name);
      if (target === emptyStart || target === fullStart)
        return repeat(setting.isSmoke ? 1 : 5, () => timeStart(setting, database));
      if (target === creates) return createForAMinute(setting, database ?? '');
      return askAgainAndAgain(setting, questions[target] ?? '', database ?? '');
    },
  };
}

function databaseOf(stage: Stage, name: string): string {
  return `file:${join(stage.folder, name)}`;
}

/** Searches for the last book as soon as the command has ended: indexing must be complete. */
async function importAll({ stage, store }: Setting, name: string, count: number): Promise<Sample> {
  const file = join(stage.folder, `${name}.csv`);
  await writeCsv(file, stage, count);
  // Each round imports into a new catalogue.
  await rm(join(stage.folder, name), { recursive: true, force: true });
  const { ms = 0, server } = await withServer(stage, store, databaseOf(stage, name), async (running) => {
    const { Authorization: token = '' } = await stage.logIn(ours, running.url);
    const env = { SHELFLIST_URL: running.url, SHELFLIST_TOKEN: token, ...stage.clientLogin };
    const command = [stage.program, 'import', file];
    const taken = await timeCommand(command, { cwd: stage.folder, env });
    const headers = await stage.logIn(ours, running.url);
    const { body } = await ask(`${running.url}/books?q=n${count}`, { headers });
    if ((JSON.parse(body) as { data: unknown[] }).data.length !== 1)
      throw new Error('the last book is not searchable when the import has ended');
    return { ...taken, server: { peakMb: readMemoryMb(running.pids(), 'VmHWM') } };
  });
  return { perSecond: (count / ms) * 1000, ...server };
}

async function writeCsv(file: string, { books }: Stage, count: number): Promise<void> {
  const output = createWriteStream(file);
  output.write('title,author,year\n');
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  let text = '';
  for (const { title, author, year } of variations(books, count)) {
    text += `${quote(title)},${quote(author)},${year}\n`;
    if (text.length < 1e6) continue;
    if (!output.write(text)) await once(output, 'drain');
    text = '';
  }
  output.end(text);
  await once(output, 'close');
}

async function timeStart({ stage, store }: Setting, database: string | undefined): Promise<Sample> {
  const begun = performance.now();
  const options = database === undefined ? { isEmpty: true } : { database };
  const server = await stage.start(ours, store, options);
  try {
    await ask(`${server.url}/readyz`);
    return { ms: performance.now() - begun };
  } finally {
    await server.stop();
  }
}

/** Repeats a question while another connection requests `/livez`, which waits as long as the event loop is busy. */
async function askAgainAndAgain(
  { stage, store, isSmoke }: Setting,
  question: string,
  database: string,
): Promise<Sample> {
  return withServer(stage, store, database, async (server) => {
    const headers = await stage.logIn(ours, server.url);
    if ((await ask(server.url + question, { headers })).status === 404) return {}; // `--program` may not have the path.
    const times = isSmoke ? 2 : 15;
    const waits: number[] = [];
    const end = new AbortController();
    const watching = (async () => {
      while (!end.signal.aborted) waits.push(await time(() => ask(`${server.url}/livez`)));
    })();
    const taken: number[] = [];
    for (let i = 0; i < times + 2; i++) {
      const ms = await time(async () => {
        const { status } = await ask(server.url + question, { headers });
        if (status !== 200) throw new Error(`${question} was answered with ${status}`);
      });
      if (i >= 2) taken.push(ms);
    }
    end.abort();
    await watching;
    return { p50Ms: quantile(taken, 0.5), p99MsMeanwhile: quantile(waits, 0.99) };
  });
}

/** Creates books for a minute, and then waits until a sorted search finds a book created after them. */
async function createForAMinute({ stage, store, isSmoke }: Setting, database: string): Promise<Sample> {
  const seconds = isSmoke ? 1 : 60;
  return withServer(stage, store, database, async (server) => {
    const headers = await stage.logIn(ours, server.url);
    const { template } = await tryRequest(server.url, requests.create, headers);
    const outcome = await generateLoad({
      url: server.url,
      connections: 64,
      warmUpSeconds: 0,
      seconds,
      main: template,
      pids: server.pids(),
    });
    const marker = { title: 'Qqzzlast', author: 'Jane Austen', year: 1815 };
    await tryRequest(server.url, { ...requests.create, body: JSON.stringify(marker) }, headers);
    const waited = await time(() => waitUntilFound(server.url, '?q=qqzzlast&sort=title', headers));
    const perSecond = (outcome.perSecond * seconds) / (seconds + waited / 1000);
    return { perSecond, p99Ms: outcome.p99Ms, peakMb: readMemoryMb(server.pids(), 'VmHWM') };
  });
}

/**
 * Repeats a query until it finds a book in at most {@link searchableMs}. A store that is still indexing may answer 503, or read all
 * books that are not indexed.
 */
async function waitUntilFound(url: string, question: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const begun = performance.now();
    const { status, body } = await ask(`${url}/books${question}`, { headers });
    const isFound = status === 200 && (JSON.parse(body) as { data: unknown[] }).data.length > 0;
    if (isFound && performance.now() - begun <= searchableMs) return;
    await setTimeout(100);
  }
}

async function time(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function withServer<T>(
  stage: Stage,
  store: Store,
  database: string,
  action: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await stage.start(ours, store, { database });
  try {
    return await action(server);
  } finally {
    await server.stop();
  }
}
