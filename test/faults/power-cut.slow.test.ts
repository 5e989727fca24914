import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openStore } from '../../src/index.ts';
import { serve, settings } from '../support/cli.ts';
import { PoweredFile, readTrace, traceOptions, type TraceEvent } from './power-cut.ts';
import { faultsOf } from '../support/sqlite-file.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

/** The number of books per client. Each goes through all steps of its life. */
const clients = 6;
const books = sized({ short: 4, long: 30 });
/** One in this many responses is followed by a power cut. Each time, another part of the unsynced writes survives. */
const everyAnswer = sized({ short: 12, long: 1 });
const partsKept = [0, 0.5, 1];

/** What is asked for in the life of a book; its year says how far it has come. */
const life = [
  { method: 'POST', year: 0 },
  { method: 'PUT', year: 1 },
  { method: 'PUT', year: 2 },
  { method: 'DELETE', year: 3 },
] as const;

const skip = await findTracer();

/** Says why nothing can be traced here. */
async function findTracer(): Promise<string | false> {
  try {
    await promisify(execFile)('strace', ['-o', '/dev/null', 'true']);
    return false;
  } catch (error) {
    return `strace cannot be run here: ${(error as Error).message.trim()}`;
  }
}

describe('a power cut after any response', { skip }, () => {
  const events: TraceEvent[] = [];
  const cleanup: (() => unknown)[] = [];
  const file: Scope = { after: (fn) => cleanup.push(fn) };

  before(async () => {
    const folder = await temporaryFolder(file);
    const trace = join(folder, 'trace');
    // `-D`: what is started is the service, and the tracer its grandchild.
    const service = await serve(file, folder, settings, ['strace', '-D', ...traceOptions, '-o', trace]);
    const token = await logIn(service.url);
    await Promise.all(
      Array.from({ length: clients }, (_, i) => liveThrough(service.url, token, `client-${i}`)),
    );
    assert.equal(await service.stop(), 0);
    for await (const event of readTrace(trace)) events.push(event);
    for (const fn of cleanup.reverse()) await fn();
  });

  test('loses nothing acknowledged, and index and change log agree with the books', async (context) => {
    const folder = await temporaryFolder(context);
    const files = ['shelflist.db', 'shelflist.db-wal'].map(
      (name) => [name, new PoweredFile(`/data/${name}`)] as const,
    );
    const told = new Told();
    let cuts = 0;
    for (const event of events) {
      for (const [, file] of files) file.see(event);
      if (!told.see(event) || told.answers % everyAnswer > 0) continue;
      for (const part of partsKept) {
        const path = join(folder, String(++cuts));
        await mkdir(path);
        for (const [name, file] of files)
          await writeFile(
            join(path, name),
            file.after(() => Math.random() < part),
          );
        await told.check(path);
        assert.deepEqual(faultsOf(path), []);
        await rm(path, { recursive: true });
      }
    }
    assert.equal(told.answers, clients * books * life.length);
    context.diagnostic(`${told.answers} answers, ${cuts} power cuts`);
  });

  test('keeps the files, because their folders were synced', () => {
    const synced: string[] = [];
    const answered = events.findIndex(({ bytes }) => bytes.includes('HTTP/1.1 '));
    for (const { at, call, target } of events.slice(0, answered))
      if (at === 'end' && call === 'fsync') synced.push(target);
    for (const made of [/\/data$/, /\/shelflist-[^/]+$/])
      assert.ok(
        synced.some((target) => made.test(target)),
        `${made} in ${synced.join()}`,
      );
  });
});

async function logIn(url: string): Promise<string> {
  const { AUTH_USERNAME: username, AUTH_PASSWORD: password } = settings;
  const body = JSON.stringify({ username, password });
  const answer = (await (await fetch(`${url}/token`, { method: 'POST', body })).json()) as {
    data: { token: string };
  };
  return answer.data.token;
}

/** Takes books through their lives, one after the other. The name of a request is `TITLE.STEP`. */
async function liveThrough(url: string, token: string, name: string): Promise<void> {
  for (let n = 1; n <= books; n++) {
    const title = `${name}-${n}`;
    let path = '/book';
    for (const [step, { method, year }] of life.entries()) {
      const headers = { Authorization: token, 'X-Request-Id': `${title}.${step + 1}` };
      const body = method === 'DELETE' ? null : JSON.stringify({ title, year });
      const response = await fetch(url + path, { method, headers, body });
      assert.equal(response.status, method === 'POST' ? 201 : 200);
      const { data } = (await response.json()) as { data: { id: number } | null };
      if (method === 'POST') path = `/book/${data?.id}`;
    }
  }
}

/** What the service has told its clients, by what it has sent. */
class Told {
  /** How many steps of each book's life. */
  readonly #steps = new Map<string, number>();
  #highestId = 0;
  answers = 0;

  /** Whether it was an answer to a write. */
  see({ at, target, bytes }: TraceEvent): boolean {
    if (at === 'end' || !target.startsWith('socket:')) return false;
    const text = bytes.toString();
    const [, title, step] =
      /^HTTP\/1\.1 20[01] [^]*?\r\nX-Request-Id: (client[\w-]+)\.(\d)\r\n/.exec(text) ?? [];
    if (title === undefined) return false;
    this.#steps.set(title, Number(step));
    this.#highestId = Math.max(this.#highestId, Number(/"id":(\d+)/.exec(text)?.[1] ?? 0));
    this.answers++;
    return true;
  }

  /** Holds a store against it: each book may be one step further than was told. */
  async check(path: string): Promise<void> {
    const store = await openStore(`file:${path}`);
    try {
      const found = new Map<string, number>();
      for await (const page of store.iterate())
        for (const { title, year } of page) found.set(title, year + 1);
      for (const [title, told] of this.#steps) {
        const there = found.get(title) ?? life.length;
        assert.ok(there === told || there === told + 1, `${title}: step ${there} is there, ${told} was told`);
      }
      const { id } = await store.create({ title: '', author: '', year: 0 });
      assert.ok(id > this.#highestId, `the id ${id} comes again`);
    } finally {
      await store.close();
    }
  }
}
