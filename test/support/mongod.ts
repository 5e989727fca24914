import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { findMongod, type MongodBinary } from './mongod-binary.ts';

/** What can be done to a server that the tests started themselves. POSIX only, for the first two. */
export interface MongodFaults {
  /** Stops it from answering, while its port still accepts connections (SIGSTOP); returns when that is so. */
  pause: () => void;
  /** Lets it go on after `pause` (SIGCONT). */
  resume: () => void;
  /** Ends it without a chance to tidy up (SIGKILL); resolves when it is gone. */
  crash: () => Promise<void>;
  /** After `crash`, starts it on the same port and data; resolves when it accepts writes again. */
  restart: () => Promise<void>;
}

/** A server to test against. One that was given by its URL has no faults: `crash === undefined` tells. */
export type TestMongod = {
  url: string;
  /** Ends the server and removes its data; leaves a given one alone. */
  stop: () => Promise<void>;
} & (MongodFaults | { [Fault in keyof MongodFaults]?: undefined });

/**
 * A running server, or the sentence that says why there is none and how to have one.
 *
 * @throws {Error} with that sentence, when REQUIRE_MONGODB=1.
 */
export async function startMongod(): Promise<TestMongod | { skip: string }> {
  const url = process.env.TEST_MONGODB_URL;
  if (url) return { url, stop: () => Promise.resolve() };
  const binary = await findMongod();
  if (binary !== undefined) return startReplicaSet(binary);
  const skip =
    'No mongod here that runs, and none could be downloaded: set TEST_MONGODB_URL to the URL of a server, ' +
    'set MONGOMS_SYSTEM_BINARY to a mongod that runs, or put one on the PATH.';
  if (process.env.REQUIRE_MONGODB === '1') throw new Error(skip);
  return { skip };
}

async function startReplicaSet({ path, version }: MongodBinary): Promise<TestMongod> {
  const dbPath = await mkdtemp(join(tmpdir(), 'shelflist-mongod-'));
  const guard = guardData(dbPath);
  const removeData = async (): Promise<void> => {
    guard.kill('SIGKILL');
    await rm(dbPath, { recursive: true, force: true });
  };
  const replicaSet = new MongoMemoryReplSet({
    // Its own version, because memory-server prints a warning about any other than the one it expects.
    binary: { systemBinary: path, version },
    // A Unix socket would be left behind in the temporary folder by every crash.
    instanceOpts: [
      { dbPath, args: process.platform === 'win32' ? [] : ['--nounixsocket'], launchTimeout: 30_000 },
    ],
    replSet: { storageEngine: 'wiredTiger' },
  });
  try {
    await replicaSet.start();
  } catch (error) {
    await removeData();
    throw error;
  }
  const url = replicaSet.getUri();
  const [server] = replicaSet.servers;
  const instance = server?.instanceInfo?.instance;
  if (server === undefined || instance === undefined) throw new Error('memory-server started no mongod');

  const running = (): ChildProcess => {
    if (instance.mongodProcess === undefined) throw new Error('mongod is not running');
    return instance.mongodProcess;
  };
  const crash = async (): Promise<void> => {
    const mongod = running();
    // 'close' and not 'exit': memory-server ends what it finds running at 'close', which must not be the next one.
    const closed = once(mongod, 'close');
    mongod.kill('SIGKILL');
    await closed;
    await server.stop({ doCleanup: false });
  };
  return {
    url,
    async stop() {
      // A clean shutdown takes longer, prints warnings if it fails, and saves data that nobody wants.
      if (instance.mongodProcess !== undefined) await crash();
      await removeData();
    },
    pause() {
      const mongod = running();
      mongod.kill('SIGSTOP');
      const deadline = Date.now() + 10_000;
      while (!hasPaused(mongod.pid ?? 0)) {
        if (Date.now() > deadline) throw new Error('mongod did not pause within 10 seconds');
      }
    },
    resume() {
      running().kill('SIGCONT');
    },
    crash,
    async restart() {
      await server.start(true);
      const client = await MongoClient.connect(url);
      await client.close();
    },
  };
}

/** SIGSTOP takes hold thread by thread, and a busy machine answers many a request before the last one. */
function hasPaused(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).every((task) =>
      readFileSync(`${tasks}/${task}/stat`, 'latin1').includes(') T '),
    );
  } catch {
    return false; // A thread ended meanwhile.
  }
}

/**
 * Removes the data when this process dies without `stop`, even of SIGKILL: then the pipe closes and `read`
 * ends. It kills the server first, because memory-server's own watcher only sends SIGTERM, which a paused
 * server never gets.
 */
function guardData(dbPath: string): ChildProcess {
  const script = 'read -r _; read -r pid <"$0/mongod.lock" && kill -KILL "$pid" && sleep 1; rm -rf "$0"';
  const guard = spawn('sh', ['-c', script, dbPath], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => undefined); // Without a shell, on Windows, the data stays behind.
  guard.unref();
  return guard;
}

/** The address of a database that nobody else has, on the test server. */
export function newDatabaseUrl(mongod: TestMongod | { skip: string }): string {
  if ('skip' in mongod) throw new Error(mongod.skip);
  const url = new URL(mongod.url);
  url.pathname = `/shelflist_${randomBytes(6).toString('hex')}`;
  return url.href;
}
