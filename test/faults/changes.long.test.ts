import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test, type TestContext } from 'node:test';
import { createClient, type Client } from '../../src/index.ts';
import { connect } from '../support/client.ts';
import { serve, settings, workersOf } from '../support/cli.ts';
import { openStream } from '../support/event-stream.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const rounds = sized({ short: 1, long: 30 });

const stores: [name: string, skip: string | false, url: (t: TestContext) => Promise<string>][] = [
  ['SQLite', false, async (t) => `file:${join(await temporaryFolder(t), 'data')}`],
  ['MongoDB', 'skip' in mongod ? mongod.skip : false, () => Promise.resolve(newDatabaseUrl(mongod))],
];

async function logIn(t: TestContext, url: string): Promise<{ client: Client; token: string }> {
  const client = connect(t, url);
  return { client, token: await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD) };
}

/** Writes one after the other until it is stopped; gives what it has written, in this order. */
function keepWriting(client: Client): { written: string[]; stop: () => Promise<void> } {
  const written: string[] = [];
  const books: number[] = [];
  const end = new AbortController();
  const writing = (async () => {
    for (let i = 0; !end.signal.aborted; i++) {
      const id = books[(i * 7) % Math.max(1, books.length)];
      if (id === undefined || i % 3 === 0) {
        const created = await client.create({ title: `book ${i}` });
        books.push(created.id);
        written.push(`${created.id} created`);
      } else if (i % 3 === 1) {
        await client.update(id, { year: i });
        written.push(`${id} updated`);
      } else {
        await client.delete(id);
        books.splice(books.indexOf(id), 1);
        written.push(`${id} deleted`);
      }
    }
  })();
  return {
    written,
    stop: () => {
      end.abort();
      return writing;
    },
  };
}

describe('a service killed between events, while another one writes', () => {
  for (const [name, skip, createUrl] of stores)
    test(
      `${name}: a reader that continues after the last position misses nothing, and sees nothing twice`,
      { skip },
      async (t) => {
        const env = { ...settings, DATABASE_URL: await createUrl(t) };
        const writer = await serve(t, await temporaryFolder(t), env);
        const { client, token } = await logIn(t, writer.url);
        const stream = await openStream(t, writer.url, token);
        let after = stream.lastId();
        const { written, stop } = keepWriting(client);
        const seen: string[] = [];
        for (let round = 1; round <= rounds; round++) {
          const reader = await serve(t, await temporaryFolder(t), env);
          const watching = createClient({ url: reader.url, token });
          const enough = seen.length + 40 * round;
          for await (const event of watching.watch({ after })) {
            assert.ok('id' in event, 'there is no reset');
            after = event.position;
            seen.push(`${event.id} ${event.change}`);
            if (seen.length === enough) break;
          }
          watching.close();
          const ended = once(reader.child, 'close');
          reader.child.kill('SIGKILL');
          await ended;
        }
        await stop();
        for await (const event of client.watch({ after })) {
          assert.ok('id' in event);
          seen.push(`${event.id} ${event.change}`);
          if (seen.length === written.length) break;
        }
        assert.deepEqual(seen, written);
        // A reader that was never interrupted has seen the same.
        const whole = await stream.until(written.length);
        assert.deepEqual(
          whole.map(({ data }) => `${(data as { id: number }).id} ${(data as { change: string }).change}`),
          written,
        );
        t.diagnostic(`${written.length} changes, ${rounds} kills`);
      },
    );
});

describe('200 readers of a service with 4 workers', () => {
  for (const [name, skip, createUrl] of stores)
    test(
      `${name}: each sees every write; the delay is printed`,
      { skip: skip || process.platform !== 'linux' },
      async (t) => {
        const env = { ...settings, WORKERS: '4', DATABASE_URL: await createUrl(t) };
        const service = await serve(t, await temporaryFolder(t), env);
        assert.equal((await workersOf(service)).length, 4);
        const { client, token } = await logIn(t, service.url);
        const streams = await Promise.all(
          Array.from({ length: 200 }, () => openStream(t, service.url, token)),
        );
        const delays: number[] = [];
        for (let id = 1; id <= 20; id++) {
          const created = client.create({ title: `book ${id}` }).then(() => performance.now());
          const arrivals = streams.map((stream) => stream.until(id).then(() => performance.now()));
          const written = await created;
          for (const arrival of await Promise.all(arrivals)) delays.push(Math.max(0, arrival - written));
        }
        for (const { events } of streams)
          assert.deepEqual(
            events.map(({ data }) => data),
            Array.from({ length: 20 }, (_, i) => ({ id: i + 1, change: 'created' })),
          );
        delays.sort((a, b) => a - b);
        const at = (part: number) => Math.round(delays[Math.floor(part * (delays.length - 1))] ?? 0);
        t.diagnostic(
          `${name}: from the acknowledged write to the event, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
        );
      },
    );
});
