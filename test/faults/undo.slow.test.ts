import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newBatchId } from '../../src/catalogue/batch.ts';
import { undoPrefix } from '../../src/store/contract/undo.ts';
import { createClient, ShelflistError, type Book, type Client } from '../../src/index.ts';
import { serve, settings, workersOf } from '../support/cli.ts';
import { keepWriting, Ledger } from '../support/ledger.ts';
import { onlyLong, sized } from '../support/size.ts';
import { faultsOf, readFileRows } from '../support/sqlite-file.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

const rounds = sized({ short: 1, long: 15 });
const kills = sized({ short: 2, long: 4 });
const writers = 6;
/** The numbers of books that a batch creates, updates and deletes. */
const size = sized({
  short: { created: 1500, updated: 400, deleted: 200 },
  long: { created: 3000, updated: 1000, deleted: 500 },
});

/** The number of books of a large import. */
const imported = sized({ short: 6000, long: 12_000 });

const skip = process.platform !== 'linux' && 'workers are found in /proc';

test(
  `killed ${rounds * kills} times while it undoes a batch: repeated, the undo takes back each change once, and nothing of other writers`,
  { skip },
  async (t) => {
    const place: Place = { scope: t, folder: await temporaryFolder(t), ledger: new Ledger(), own: new Set() };
    const left: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { batch, before, after } = await runAndKill(place, (client) => doBatch(place, client));
      for (let kill = 0; kill < kills; kill++) {
        // The kill comes some time after a step. It varies, so that each kill interrupts something else.
        const moment = { steps: kill, thenMs: (round * 131 + kill * 67) % 400 };
        await runAndKill(place, (client) => undoUntil(client, batch, moment));
        left.push(size.created - countUndone(place, batch).deleted);
      }
      await runAndKill(place, async (client) => {
        assert.deepEqual((await client.undo(batch)).left, []);
        assert.deepEqual(await ownBooks(place, client), before);
      });
      const { undos, deleted, reverted } = countUndone(place, batch);
      assert.deepEqual(
        { deleted, reverted },
        { deleted: size.created, reverted: size.updated + size.deleted },
      );
      await runAndKill(place, async (client) => {
        for (const undo of undos) await client.undo(undo);
        assert.deepEqual(await ownBooks(place, client), after);
      });
    }
    await runAndKill(place, () => Promise.resolve());
    t.diagnostic(`${place.ledger.acknowledged} writes of others; books left by each kill: ${left.join(' ')}`);
  },
);

test(
  'killed while it undoes a large import: repeated, the undo deletes exactly its books, and lists those changed since',
  { skip: skip || onlyLong },
  async (t) => {
    const place: Place = { scope: t, folder: await temporaryFolder(t), ledger: new Ledger(), own: new Set() };
    const { batch, changed, left, kept } = await runAndKill(place, (client) => importMany(place, client));
    const toDelete = imported - changed.length;
    for (const moment of [
      { steps: 2, thenMs: 0 },
      { steps: 3, thenMs: 30 },
    ]) {
      const before = countUndone(place, batch).deleted;
      await runAndKill(place, (client) => undoUntil(client, batch, moment));
      const { deleted } = countUndone(place, batch);
      assert.ok(deleted > before && deleted < toDelete, `${deleted} of ${toDelete} books are deleted`);
      t.diagnostic(`killed after ${deleted} of ${toDelete} books`);
    }
    await runAndKill(place, async (client) => {
      const result = await client.undo(batch);
      assert.deepEqual(
        result.left.toSorted((a, b) => a - b),
        changed,
      );
      assert.equal(countUndone(place, batch).deleted, toDelete);
    });
    // What the last kill left is what the undo has reported.
    await runAndKill(place, async (client) => {
      assert.deepEqual(await ownBooks(place, client), [...kept, ...left]);
      const again = await client.undo(batch);
      assert.deepEqual([again.undone, again.left.length], [0, changed.length]);
    });
  },
);

interface Place {
  readonly scope: Scope;
  readonly folder: string;
  /** The books of the other writers. */
  readonly ledger: Ledger;
  /** The ids of the books that the batches change. */
  readonly own: Set<number>;
}

/** Starts the service, and kills it, workers included, after an action. Others write during the action. */
async function runAndKill<T>(
  { scope, folder, ledger, own }: Place,
  action: (client: Client) => Promise<T>,
): Promise<T> {
  const service = await serve(scope, folder, { ...settings, WORKERS: '2' });
  assert.doesNotMatch(service.stderr(), /error|warn|damaged|cannot/i);
  const client = createClient({ url: service.url });
  const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  const books = await client.list();
  ledger.check(
    books.filter(({ id }) => !own.has(id)),
    { isSettled: true },
  );
  const others = Array.from({ length: writers }, () => createClient({ url: service.url, token }));
  const end = new AbortController();
  const writing = others.map((other) => keepWriting(ledger, other, end.signal));
  const result = await action(client);
  const ended = once(service.child, 'close');
  end.abort();
  for (const pid of [...(await workersOf(service)), service.child.pid ?? 0]) process.kill(pid, 'SIGKILL');
  await Promise.all([...writing, ended]);
  for (const each of [client, ...others]) each.close();
  assert.deepEqual(faultsOf(join(folder, 'data')), []);
  return result;
}

/** Creates, updates and deletes books in one batch. */
async function doBatch(place: Place, client: Client) {
  const batch = newBatchId();
  const books = Array.from({ length: size.updated + size.deleted }, (_, year) => ({ title: 'old', year }));
  const old = await client.createMany(books);
  for (const id of old.ids) place.own.add(id);
  const before = await ownBooks(place, client);
  const rows = Array.from({ length: size.created }, (_, year) => ({ title: 'imported', year }));
  const { ids } = await client.createMany(rows, { batch });
  for (const id of ids) place.own.add(id);
  const updated = old.ids.slice(0, size.updated);
  await Promise.all(updated.map((id) => client.update(id, { title: 'changed' }, { batch })));
  await Promise.all(old.ids.slice(size.updated).map((id) => client.delete(id, { batch })));
  return { batch, before, after: await ownBooks(place, client) };
}

/** Imports books among others, of which some are changed or deleted afterwards. */
async function importMany(place: Place, client: Client) {
  const batch = newBatchId();
  const old = await client.createMany(Array.from({ length: 500 }, (_, year) => ({ title: 'old', year })));
  const rows = Array.from({ length: imported }, (_, year) => ({ title: 'imported', year }));
  const { ids } = await client.createMany(rows, { batch });
  for (const id of [...old.ids, ...ids]) place.own.add(id);
  const changed = ids.filter((_, i) => i % 100 === 0);
  const [removed = 0, ...updated] = changed;
  await Promise.all(updated.map((id) => client.update(id, { title: 'changed since' })));
  await client.delete(removed);
  const books = await ownBooks(place, client);
  const [olds, updates] = [new Set(old.ids), new Set(updated)];
  return {
    batch,
    changed,
    kept: books.filter(({ id }) => olds.has(id)),
    left: books.filter(({ id }) => updates.has(id)),
  };
}

async function ownBooks({ own }: Place, client: Client): Promise<Book[]> {
  return (await client.list()).filter(({ id }) => own.has(id));
}

/** Begins an undo; resolves some time after a number of its steps, or when it has ended. */
async function undoUntil(
  client: Client,
  batch: string,
  { steps, thenMs }: { steps: number; thenMs: number },
): Promise<void> {
  let step = 0;
  await new Promise<void>((resolve, reject) => {
    const onStep = () => {
      if (step++ === steps) void setTimeout(thenMs).then(resolve);
    };
    onStep();
    client.undo(batch, { onProgress: onStep }).then(
      () => {
        resolve();
      },
      // The kill ends the undo. It comes after this promise is resolved.
      (error: unknown) => {
        if (error instanceof ShelflistError && error.code === 'unreachable') resolve();
        else reject(new Error('the undo failed', { cause: error }));
      },
    );
  });
}

/** What the undos of a batch have changed, by the log. */
function countUndone({ folder }: Place, batch: string) {
  const rows = readFileRows(
    join(folder, 'data'),
    `SELECT batch, kind, count(*) AS changes FROM changes
     WHERE substr(batch, 1, ${undoPrefix(batch).length}) = '${undoPrefix(batch)}' GROUP BY batch, kind`,
  );
  const sum = (kind: string) =>
    rows.reduce((total, row) => total + (row.kind === kind ? Number(row.changes) : 0), 0);
  return {
    undos: [...new Set(rows.map((row) => String(row.batch)))],
    deleted: sum('deleted'),
    reverted: sum('reverted'),
  };
}
