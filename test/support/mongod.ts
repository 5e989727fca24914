import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { findMongod, type MongodBinary } from './mongod-binary.ts';
import { startReplicaSet, type Member, type ReplicaSet, type ReplicaSetOptions } from './replica-set.ts';

/** What can be done to a server that the tests started themselves; `restart` resolves when it accepts writes again. */
export type MongodControl = Pick<Member, 'pause' | 'resume' | 'crash' | 'restart'>;

/** A server to test against. One given by its URL cannot be made to fail: `crash` is `undefined`. */
export type TestMongod = {
  url: string;
  /** Ends the server and removes its data, unless it was given by its URL. */
  stop: () => Promise<void>;
} & (MongodControl | { [Name in keyof MongodControl]?: undefined });

/**
 * A running server, or the sentence that says why there is none and how to have one: the given one (TEST_MONGODB_URL), else the
 * one that the test run shares between its files (`run.ts`), else a new one.
 *
 * @throws {Error} with that sentence, when REQUIRE_MONGODB=1.
 */
export async function startMongod(): Promise<TestMongod | { skip: string }> {
  const url = process.env.TEST_MONGODB_URL || process.env.SHARED_MONGODB_URL;
  return url ? { url, stop: () => Promise.resolve() } : startOwnMongod();
}

/**
 * Whether a file that tests several stores runs with MongoDB, in the process of a slow file that imports it after setting
 * `TEST_STORES`, as `test/store/order-mongodb.slow.test.ts` does. The file itself tests the others.
 */
export const isMongodbSelected = process.env.TEST_STORES === 'MongoDB';

/** {@link startMongod}, if MongoDB is selected. */
export async function startSelectedMongod(): Promise<TestMongod | { skip: string }> {
  return isMongodbSelected ? startMongod() : { skip: 'another file tests MongoDB' };
}

/** {@link startMongod}, but never the shared one: for tests that make the server fail. */
export async function startMongodToFail(): Promise<TestMongod | { skip: string }> {
  return process.env.TEST_MONGODB_URL ? startMongod() : startOwnMongod();
}

/** {@link startMongod}, but never one that was given: one that can be killed. */
export async function startOwnMongod(): Promise<(TestMongod & MongodControl) | { skip: string }> {
  const set = await startMongods();
  const [member] = 'skip' in set ? [] : set.members;
  if ('skip' in set) return set;
  if (member === undefined) throw new Error('a replica set without a member');
  return {
    ...member,
    url: set.url,
    stop: set.stop,
    async restart() {
      await member.restart();
      const client = await MongoClient.connect(set.url);
      await client.close();
    },
  };
}

/** A new replica set; else as {@link startMongod}. */
export async function startMongods(options: ReplicaSetOptions = {}): Promise<ReplicaSet | { skip: string }> {
  const binary = await findBinary();
  return 'skip' in binary ? binary : startReplicaSet(binary, options);
}

/** The reason why no server can be started; `undefined` if one can. */
export async function findMongodOrSkip(): Promise<string | false> {
  const binary = await findBinary();
  return 'skip' in binary && binary.skip;
}

async function findBinary(): Promise<MongodBinary | { skip: string }> {
  const binary = await findMongod();
  if (binary !== undefined) return binary;
  const skip =
    'No mongod here that runs, and none could be downloaded: set TEST_MONGODB_URL to the URL of a server, ' +
    'set MONGOMS_SYSTEM_BINARY to a mongod that runs, or put one on the PATH.';
  if (process.env.REQUIRE_MONGODB === '1') throw new Error(skip);
  return { skip };
}

/** Waits until one of these servers reports that it has joined its set; returns the first. */
export async function memberThatIs(
  part: 'isWritablePrimary' | 'secondary',
  members: readonly Member[],
): Promise<Member> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    for (const member of members) if (await is(part, member)) return member;
    if (Date.now() > deadline) throw new Error(`no member was ${part} within a minute`);
    await setTimeout(20);
  }
}

async function is(part: string, { url }: Member): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000 });
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    return hello[part] === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/** The address of a new database on the test server. */
export function newDatabaseUrl(mongod: { url: string } | { skip: string }): string {
  if ('skip' in mongod) throw new Error(mongod.skip);
  // URL parsers reject several hosts.
  return mongod.url.replace(/^([^/]*\/\/[^/?]+)\/?[^?]*/, `$1/shelflist_${randomBytes(6).toString('hex')}`);
}
