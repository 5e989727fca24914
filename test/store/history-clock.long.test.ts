import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { openStore } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { newUndoId } from '../../src/store/contract/undo.ts';
import { openDriver } from '../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { changeFile } from '../support/sqlite-file.ts';
import { temporaryFolder } from '../support/temp.ts';
import { fakeTime } from '../support/time.ts';
import { sized } from '../support/size.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const dayMs = 86_400_000;
const count = sized({ short: 300, long: 1000 });

interface Jumping {
  readonly url: string;
  /** Sets the clock of the system to this many days from the right time, as the store sees it. */
  readonly jump: (days: number) => void;
  /** Whether the store must be closed meanwhile. */
  readonly isClosed: boolean;
}

/** The clock of this process jumps, also while the store is open. */
function jumpingProcess(t: TestContext, url: string): Jumping {
  const { jump } = fakeTime(t);
  return {
    url,
    jump: (days) => {
      jump(days * dayMs);
    },
    isClosed: false,
  };
}

const stores: [name: string, prepare: (t: TestContext) => Promise<Jumping>, skip?: string | false][] = [
  [
    'file:',
    async (t) => {
      const folder = await temporaryFolder(t);
      let current = 0;
      // A store whose times are 200 days ago is a store on a machine whose clock is 200 days ahead.
      const jump = (days: number) => {
        const byMs = (days - current) * dayMs;
        current = days;
        changeFile(
          folder,
          `UPDATE changes SET at = at - ${byMs}; UPDATE repeats SET at = at - ${byMs};
          UPDATE meta SET clock = clock - ${byMs}, history_clock = history_clock - ${byMs}`,
        );
      };
      return { url: `file:${folder}`, jump, isClosed: true };
    },
  ],
  ['memory:', (t) => Promise.resolve(jumpingProcess(t, 'memory:clock'))],
  [
    'MongoDB',
    async (t) => {
      const url = newDatabaseUrl(mongod);
      await openDriver(t, url);
      return jumpingProcess(t, url);
    },
    'skip' in mongod && mongod.skip,
  ],
];

/** Makes random changes, undoes some of them, and describes what can still be seen of all of them. */
async function live({ url, jump, isClosed }: Jumping, isJumping: boolean): Promise<unknown> {
  let state = 29;
  const pick = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  let store = await openStore(url, { historyDays: 90 });
  const batches: string[] = [];
  const seen: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const days = [0, 200, -200, 0][pick(4)] ?? 0;
    if (isJumping && i % (isClosed ? 20 : 1) === 0) {
      if (isClosed) await store.close();
      jump(i === 0 ? 0 : days);
      if (isClosed) store = await openStore(url, { historyDays: 90 });
    }
    if (i % 10 === 0) batches.push(`batch-${i}-of-the-test`);
    seen.push(await change(store, i, pick, batches));
  }
  if (isClosed) await store.close();
  if (isJumping) jump(0);
  if (isClosed) store = await openStore(url, { historyDays: 90 });
  for (let id = 1; id <= count; id++) {
    const states = await store.history(id);
    seen.push(states?.map(({ version: _, at: __, ...state }) => state));
  }
  const { books } = await store.trash({ limit: count });
  seen.push(books.map(({ deletedAt: _, ...book }) => book).sort((a, b) => a.id - b.id));
  for (const batch of batches.toReversed())
    seen.push(await store.undo(batch, { as: newUndoId(batch), limit: 1000 }));
  await store.close();
  return seen;
}

async function change(
  store: CompleteStore,
  i: number,
  pick: (below: number) => number,
  batches: readonly string[],
): Promise<unknown> {
  const batch = pick(2) === 0 ? batches.at(-1) : undefined;
  const id = 1 + pick(200);
  switch (pick(6)) {
    case 0:
      return store.create({ title: `${i}`, author: 'a', year: i }, { batch });
    case 1:
    case 2:
      return store.update(id, { year: i }, { batch });
    case 3:
      return store.delete(id, { batch });
    case 4:
      return store.revert(id, { batch });
    default: {
      // Each key is sent twice, with other requests between the two.
      const repeat = { key: `key-${Math.floor(i / 40)}`, digest: '' };
      const { ids } = await store.createMany([{ title: 'once', author: '', year: i }], {
        idempotencyKey: repeat,
      });
      return ids;
    }
  }
}

for (const [name, prepare, skip = false] of stores)
  test(
    `the clock jumps by 200 days between ${count} changes, and nothing is lost: ${name}`,
    { skip },
    async (t) => {
      const expected = await live({ url: 'memory:', jump: () => undefined, isClosed: false }, false);
      const jumping = await prepare(t);
      assert.deepEqual(await live(jumping, true), expected);
    },
  );
