import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { createClient } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { gone, serve, workersOf } from '../support/cli.ts';
import { collect, connect } from '../support/client.ts';
import { keepWriting, Ledger } from '../support/ledger.ts';
import { received, responses } from '../support/raw.ts';
import { credentials, secretToken } from '../support/service.ts';
import { sized } from '../support/size.ts';
import { startSteady } from './steady.ts';
import { temporaryFolder } from '../support/temp.ts';

const deadlineMs = sized({ short: Infinity, long: 10_000 });
const rounds = sized({ short: 1, long: 5 });
const ways = sized<[NodeJS.Signals, number][]>({
  short: [['SIGTERM', 3]],
  long: [
    ['SIGTERM', 1],
    ['SIGTERM', 3],
    ['SIGINT', 1],
    ['SIGINT', 3],
  ],
}).map(([signal, workers]) => ({
  signal,
  workers,
  what: `${signal}, ${workers === 1 ? 'one process' : '3 workers'}`,
}));

async function start(context: TestContext, workers: number, cwd?: string) {
  const folder = cwd ?? (await temporaryFolder(context));
  const service = await serve(context, folder, {
    SECRET_TOKEN: secretToken,
    AUTH_USERNAME: credentials.username,
    AUTH_PASSWORD: credentials.password,
    WORKERS: String(workers),
  });
  const client = connect(context, service.url);
  const token = await client.login(credentials.username, credentials.password);
  const processes = [service.child.pid ?? 0, ...(await workersOf(service))];
  return { folder, service, client, token, processes };
}

const inFullUse = () => {
  for (const { signal, workers, what } of ways) {
    test(what, async (context) => {
      const ledger = new Ledger();
      let cwd: string | undefined;
      for (let round = 0; round < rounds; round++) {
        const { folder, service, client, token, processes } = await start(context, workers, cwd);
        cwd = folder;
        ledger.check(await collect(client.iterate()), { isSettled: true });
        await ledger.create(client, bookOf({ title: `read in round ${round}` }));
        const writing = new AbortController();
        const writers = Array.from({ length: 32 }, () => {
          const writer = createClient({ url: service.url, token });
          return keepWriting(ledger, writer, writing.signal).finally(() => {
            writer.close();
          });
        });
        const readers = startSteady(service.url, token, [
          ...Array<string>(24).fill('/book/1'),
          ...Array<string>(8).fill('/books'),
        ]);
        await readers.busy;
        const enough = ledger.acknowledged + sized({ short: 50, long: 500 });
        while (ledger.acknowledged < enough) await new Promise(setImmediate);
        const acknowledged = ledger.acknowledged;
        const begun = performance.now();
        readers.stopped();
        const status = await service.stop(signal);
        const tookMs = performance.now() - begun;
        writing.abort();
        await Promise.all(writers);
        const { answered, ...problems } = await readers.ended;
        assert.deepEqual(problems, { lost: [], broken: [], wrong: [] });
        assert.equal(status, 0);
        assert.ok(tookMs < deadlineMs, `it took ${tookMs} ms`);
        await gone(processes);
        context.diagnostic(
          `${answered} reads and ${ledger.acknowledged} writes answered, ${ledger.acknowledged - acknowledged} of them while it stopped, in ${tookMs.toFixed(0)} ms`,
        );
      }
      const { client } = await start(context, 1, cwd);
      ledger.check(await collect(client.iterate()), { isSettled: true });
    });
  }
};

/** Uploads that have arrived, because the service has asked for their bodies. */
async function startUploads(url: string, token: string, count: number): Promise<Socket[]> {
  const head = `POST /book HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = openSocket(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head);
      await once(socket, 'data');
      return socket;
    }),
  );
}

const uploadsInTheMiddle = () => {
  for (const { signal, workers, what } of ways) {
    test(`requests of busy clients are answered before the service ends: ${what}`, async (context) => {
      const { folder, service, token, processes } = await start(context, workers);
      const uploads = await startUploads(service.url, token, 64);
      const stopped = service.stop(signal);
      await service.said(/stopping/);
      const texts = uploads.map((socket) => {
        socket.write('{}');
        return received(socket);
      });
      const ids = (await Promise.all(texts)).map((text) => {
        const [answer] = responses(text);
        assert.equal(answer?.status, 201);
        return (JSON.parse(answer.body) as { data: { id: number } }).data.id;
      });
      assert.equal(await stopped, 0);
      await gone(processes);
      const again = await start(context, 1, folder);
      const there = await collect(again.client.iterate());
      assert.deepEqual(
        there.map(({ id }) => id),
        ids.sort((a, b) => a - b),
      );
    });

    test(`a second signal ends the service at once despite unfinished uploads: ${what}`, async (context) => {
      const { service, token, processes } = await start(context, workers);
      const uploads = await startUploads(service.url, token, 64);
      const ended = once(service.child, 'close');
      service.child.kill(signal);
      await service.said(/stopping/);
      const again = setInterval(() => service.child.kill(signal), 50); // What comes too soon is the same request.
      await ended;
      clearInterval(again);
      await gone(processes);
      assert.equal(service.child.signalCode, signal, 'it waited for the uploads');
      for (const socket of uploads) socket.destroy();
    });
  }
};

const withoutEnd = () => {
  for (const { signal, workers, what } of ways) {
    test(`endless uploads and stalled or slow readers do not delay the end: ${what}`, async (context) => {
      const { service, client, token, processes } = await start(context, workers);
      await Promise.all(Array.from({ length: 10 }, () => client.create({ title: 'x'.repeat(1_000_000) })));
      const uploads = await startUploads(service.url, token, 8);
      const readers = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const socket = openSocket(Number(new URL(service.url).port), '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write(`GET /books HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`);
          await once(socket, 'readable');
          return socket;
        }),
      );
      const drip = setInterval(() => {
        for (const socket of readers.slice(4)) socket.read(100);
        for (const socket of uploads.slice(4)) socket.write(' ');
      }, 100);
      const begun = performance.now();
      assert.equal(await service.stop(signal), 0);
      const tookMs = performance.now() - begun;
      clearInterval(drip);
      assert.ok(tookMs < deadlineMs, `it took ${tookMs} ms`);
      await gone(processes);
      context.diagnostic(`stopped in ${tookMs.toFixed(0)} ms`);
      for (const socket of [...uploads, ...readers]) socket.destroy();
    });
  }
};

// Concurrent, because the last one is idle for eight seconds.
describe('a service that is stopped', { concurrency: true }, () => {
  describe('with 64 busy connections answers all accepted requests', { concurrency: 1 }, inFullUse);
  describe('with 64 unfinished uploads', { concurrency: 1 }, uploadsInTheMiddle);
  describe('does not wait long for clients that never finish', { concurrency: true }, withoutEnd);
});
