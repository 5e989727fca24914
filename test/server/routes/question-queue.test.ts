import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { authorsRoute } from '../../../src/server/routes/authors.ts';
import { duplicatesRoute } from '../../../src/server/routes/duplicates.ts';
import { ReadQueue } from '../../../src/derived/read-queue.ts';
import type { Call } from '../../../src/server/http/call.ts';
import { connect } from '../../support/client.ts';
import { startService } from '../../support/service.ts';

/** The queries that need more than a bounded amount of work. */
const publicQuestions = [
  '/books?q=emma&limit=1',
  '/stats',
  '/suggest?field=author&q=jane',
  '/corrections?q=emmma',
  '/authors?q=jane&limit=1',
  '/authors?sort=count&limit=1',
  '/authors?variants=true&q=jane&limit=1',
];
interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const questions: Question[] = [
  ...publicQuestions,
  '/duplicates?limit=1',
  '/book/1/history',
  '/trash',
  '/batches',
].map((path) => ({ path, method: 'GET' }));
questions.push(
  { path: '/books/lookup', method: 'POST', body: [{ title: 'Emma', author: 'Jane Austen', year: 1815 }] },
  { path: '/books/lookup', method: 'POST', body: [{ id: 1 }] },
);

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

describe('the query queue', async () => {
  const memory = await openStore('memory:');
  after(() => memory.close());
  const held: (() => void)[] = [];
  /** A search for `hold` ends when the test releases it. */
  const store: CompleteStore = {
    ...memory,
    find: async (query, page) => {
      if (query.q === 'hold') await new Promise<void>((resolve) => held.push(resolve));
      return memory.find(query, page);
    },
  };
  const service = await startService({ after }, { store, publicRead: true, readLimit: 0 });
  const { token } = service;
  const client = connect({ after }, service.url, { token });
  await client.createMany(
    ['Jane Austen', 'JANE AUSTEN'].map((author) => ({ title: 'Emma', author, year: 1815 })),
  );
  let arrived = 0;
  service.server.on('request', () => arrived++);

  /** Takes all slots, sends each query, and checks that none is answered before the slots are free. */
  const check = async (places: number, asked: readonly Question[], options: { token?: string }) => {
    // Another search in each test: an answer that is kept takes no slot.
    const others = Array.from({ length: places }, () =>
      service.request('GET', `/books?q=hold&limit=1&yearFrom=${places}`, options),
    );
    while (held.length < places) await turns(1);
    const [before, answered] = [arrived, [] as string[]];
    const asking = asked.map(async ({ method, path: asks, body }) => {
      const path = asks.replace('q=emma', `q=emma&yearFrom=${places}`);
      const { status } = await service.request(method, path, { ...options, body });
      answered.push(path);
      assert.equal(status, 200, path);
    });
    while (arrived < before + asked.length) await turns(1);
    await turns(200);
    assert.deepEqual(answered, []);
    const free = async () => {
      for (const release of held.splice(0)) release();
      await Promise.all([...asking, ...others]);
    };
    return free;
  };

  test('has eight slots', async () => {
    const free = await check(8, questions, { token });
    await free();
  });

  test('gives readers without a token four of them', async () => {
    const isPublic = ({ path }: Question) => publicQuestions.includes(path);
    const free = await check(4, questions.filter(isPublic), {});
    assert.equal((await service.request('GET', publicQuestions[0] ?? '', { token })).status, 200);
    await free();
  });
});

describe('a query ends when its client disconnects', async () => {
  const memory = await openStore('memory:');
  after(() => memory.close());
  await memory.createMany(['Jane Austen', 'JANE AUSTEN'].map((author) => ({ author })));
  const gone = new Error('gone');
  /** Clients of this reader disconnect when their query begins. */
  class Leaving extends ReadQueue {
    override run<Result>(task: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
      return super.run(() => task(AbortSignal.abort(gone)), new AbortController().signal);
    }
  }
  const reader = new Leaving(memory);
  const { signal } = new AbortController();
  const options = { publicRead: true, closing: signal, logger: { warn: () => undefined } };
  const routes = [authorsRoute(memory, () => reader, options), duplicatesRoute(memory, reader, options)];
  for (const query of ['sort=count', 'sort=-count&q=zzzz', 'variants=true&q=zzzz', 'level=same'])
    test(query, async () => {
      const [authors, duplicates] = routes;
      const route = query.startsWith('level') ? duplicates : authors;
      const call = { query: `${query}&limit=1`, path: '/', signal } as unknown as Call;
      await assert.rejects(async () => route?.handle(call), gone);
    });
});
