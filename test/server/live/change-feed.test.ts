import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { openStore, ShelflistError } from '../../../src/index.ts';
import type { CompleteStore, EventsRequest } from '../../../src/store.ts';
import { ChangeFeed, type Follower } from '../../../src/server/live/change-feed.ts';
import { writeEventStream } from '../../../src/server/live/event-stream.ts';
import type { Announcement } from '../../../src/server/live/recent-events.ts';

const never = new AbortController().signal;

/** Reads this many announcements. */
async function take(announcements: AsyncGenerator<readonly Announcement[]>, count: number) {
  const taken: Announcement[] = [];
  while (taken.length < count) {
    const next = await announcements.next();
    assert.ok(next.done !== true, `the reader ended after ${taken.length}`);
    taken.push(...next.value);
  }
  return taken;
}

const idsOf = (announcements: readonly Announcement[]) =>
  announcements.map((each) => ('id' in each ? each.id : 'reset'));
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const createMany = async (store: CompleteStore, count: number) => {
  for (let i = 0; i < count; i++) await store.create({});
};

test('a reader that is further behind than the feed remembers reads on from the store', async () => {
  const store = await openStore('memory:');
  const feed = new ChangeFeed(store, { pollMs: 1, maxRecent: 8 });
  const [slow, fast] = [await feed.follow(undefined, never), await feed.follow(undefined, never)];
  const [slowly, quickly] = [slow.announcements(), fast.announcements()];
  await createMany(store, 1);
  assert.deepEqual(idsOf(await take(slowly, 1)), [1]);
  for (let last = 1; last < 100; last++) {
    await take(quickly, 1);
    await createMany(store, 1);
  }
  assert.deepEqual(idsOf(await take(slowly, 99)), upTo(100, 2));
  feed.close();
  assert.equal((await slowly.next()).done, true);
});

test('a reader of changes that the store no longer keeps gets a reset, then the later ones', async () => {
  const store = await openStore('memory:');
  const { position } = await store.events();
  await createMany(store, 1);
  const readEvents = store.events.bind(store);
  store.events = (request) => readEvents(request?.since === position ? { since: 'forgotten' } : request);
  const feed = new ChangeFeed(store, { pollMs: 1 });
  const announcements = (await feed.follow(position, never)).announcements();
  assert.deepEqual(idsOf(await take(announcements, 1)), ['reset']);
  await createMany(store, 1);
  assert.deepEqual(idsOf(await take(announcements, 1)), [2]);
  feed.close();
});

test('a feed has a maximum number of readers', async () => {
  const feed = new ChangeFeed(await openStore('memory:'), { maxReaders: 2 });
  const readers = [await feed.follow(undefined, never), await feed.follow(undefined, never)];
  await assert.rejects(feed.follow(undefined, never), { code: 'unavailable' });
  readers[0]?.close();
  readers[0]?.close();
  await feed.follow(undefined, never);
  await assert.rejects(feed.follow(undefined, never), { code: 'unavailable' });
  feed.close();
  await assert.rejects(feed.follow(undefined, never), { code: 'unavailable' });
});

test('readers without a token leave room for others', async () => {
  const feed = new ChangeFeed(await openStore('memory:'), { maxReaders: 2, maxAnonymousReaders: 1 });
  const isAnonymous = true;
  const first = await feed.follow(undefined, never, { isAnonymous });
  await assert.rejects(feed.follow(undefined, never, { isAnonymous }), { code: 'unavailable' });
  const known = await feed.follow(undefined, never);
  first.close();
  first.close();
  await feed.follow(undefined, never, { isAnonymous });
  known.close();
  await assert.rejects(feed.follow(undefined, never, { isAnonymous }), { code: 'unavailable' });
  await feed.follow(undefined, never);
  feed.close();
});

test('a reader whose client has gone leaves the feed, whenever that happens', async () => {
  const feed = new ChangeFeed(await openStore('memory:'), { maxReaders: 1 });
  for (let i = 0; i < 3; i++) {
    const gone = new AbortController();
    const begun = feed.follow(undefined, gone.signal);
    if (i === 0) gone.abort();
    const follower = await begun;
    gone.abort();
    assert.equal((await follower.announcements().next()).done, true);
    const before = await feed.follow(undefined, AbortSignal.abort());
    assert.equal((await before.announcements().next()).done, true);
  }
});

test('an idle reader is told the newest position: it can continue there, however long nothing happens', async () => {
  let asked = 0;
  const idle: CompleteStore = Object.assign(Object.create(await openStore('memory:')) as CompleteStore, {
    events: () => Promise.resolve({ events: [], position: `idle.${++asked}`, isCurrent: true }),
  });
  const feed = new ChangeFeed(idle);
  const follower = await feed.follow(undefined, never);
  const begun = follower.position;
  await feed.refresh();
  assert.notEqual(follower.position, begun);
  assert.equal(follower.position, feed.position);
  feed.close();
});

test('readers wait while the store fails, and lose nothing', async () => {
  const store = await openStore('memory:');
  let failures = 0;
  let onFailure = (): void => undefined;
  const failing: CompleteStore = Object.assign(Object.create(store) as CompleteStore, {
    events: (request?: EventsRequest) => {
      if (failures === 0) return store.events(request);
      failures--;
      onFailure();
      return Promise.reject(new ShelflistError('unavailable'));
    },
  });
  const feed = new ChangeFeed(failing, { pollMs: 1 });
  const { position } = await store.events();
  const announcements = (await feed.follow(undefined, never)).announcements();
  await createMany(store, 1);
  await take(announcements, 1);
  failures = 2;
  const failed = new Promise<void>((resolve) => (onFailure = resolve));
  await failed;
  await createMany(store, 2);
  assert.deepEqual(idsOf(await take(announcements, 2)), [2, 3]);
  failures = 1;
  await assert.rejects(feed.follow(position, never), { code: 'unavailable' });
  feed.close();
});

test('a store that gives a position with a line break is refused', async () => {
  const store = await openStore('memory:');
  const broken: CompleteStore = Object.assign(Object.create(store) as CompleteStore, {
    events: () => Promise.resolve({ events: [], position: 'a\nb', isCurrent: true }),
  });
  await assert.rejects(new ChangeFeed(broken).follow(undefined, never), /gave a position/);
});

test('a client that takes nothing is cut off, and its reader leaves the feed', async (t) => {
  const store = await openStore('memory:');
  await createMany(store, 1);
  const { position } = await store.events();
  const feed = new ChangeFeed(store, { maxReaders: 1 });
  let follower: Follower | undefined;
  let written: Promise<void> | undefined;
  const server = http.createServer((_, response) => {
    written = (async () => {
      follower = await feed.follow(position, never);
      response.writeHead(200);
      response.write(Buffer.alloc(64 * 2 ** 20)); // More than the buffers of a connection hold.
      await writeEventStream(response, follower, { maxStallMs: 20 });
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  await written;
  const next = await feed.follow(undefined, never); // The only place is free again.
  next.close();
  socket.destroy();
});

test('a heartbeat is a comment, or a position that is new', async (t) => {
  const store = await openStore('memory:');
  const feed = new ChangeFeed(store, { pollMs: 1 });
  const server = http.createServer((_, response) => {
    void (async () => {
      const follower = await feed.follow(undefined, never);
      response.writeHead(200);
      await writeEventStream(response, follower, { heartbeatMs: 1 });
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let text = '';
  assert.ok(response.body);
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    if (text.split('\n\n').length > 20) feed.close();
  }
  assert.match(text, /^retry: \d+\nid: [\w.-]+\n\n(:\n\n)+$/);
});

/** The steps of a random history. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('write' as const), count: fc.integer({ min: 1, max: 6 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('join' as const), at: fc.nat(), isNew: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), who: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who: fc.nat() }) },
  ),
  { minLength: 5, maxLength: 60 },
);

test('readers join, read, lag and leave at any time: each gets every change after its place, in order, once', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const store = await openStore('memory:');
      const feed = new ChangeFeed(store, { pollMs: 1, maxRecent: 5 });
      const positions = [(await store.events()).position];
      let last = 0;
      const readers: {
        reading: AsyncGenerator<readonly Announcement[]>;
        follower: Follower;
        next: number;
      }[] = [];
      const read = async (reader: (typeof readers)[number]) => {
        const next = await reader.reading.next();
        assert.ok(next.done !== true);
        assert.deepEqual(idsOf(next.value), upTo(reader.next + next.value.length - 1, reader.next));
        reader.next += next.value.length;
      };
      for (const step of history) {
        if (step.kind === 'write') {
          await createMany(store, step.count);
          for (const id of upTo(last + step.count, last + 1))
            positions[id] = `${positions[0]?.split('.')[0]}.${id}`;
          last += step.count;
        } else if (step.kind === 'join') {
          const at = step.isNew ? last : step.at % (last + 1);
          const follower = await feed.follow(step.isNew ? undefined : positions[at], never);
          readers.push({ reading: follower.announcements(), follower, next: at + 1 });
        } else {
          const reader = readers[step.who % Math.max(1, readers.length)];
          if (reader === undefined) continue;
          if (step.kind === 'leave') {
            reader.follower.close();
            readers.splice(readers.indexOf(reader), 1);
          } else if (reader.next <= last) await read(reader);
        }
      }
      for (const reader of readers) while (reader.next <= last) await read(reader);
      feed.close();
    }),
    { numRuns: 20 },
  );
});
