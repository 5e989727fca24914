import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoMemoryReplSet, type MongoMemoryServer } from 'mongodb-memory-server-core';
import type { MongodBinary } from './mongod-binary.ts';

/** One mongod of the tests' own, and what can be done to it. POSIX only, for the first two. */
export interface Member {
  /** The address of this one alone, whatever set it is in. */
  readonly url: string;
  /** Stops it from answering, while its port still accepts connections (SIGSTOP); returns when that is so. */
  pause: () => void;
  /** Lets it go on after `pause` (SIGCONT). */
  resume: () => void;
  /** Ends it without a chance to tidy up (SIGKILL); resolves when it is gone. */
  crash: () => Promise<void>;
  /** After `crash`, starts it on the same port and data; resolves when it accepts connections. */
  restart: () => Promise<void>;
}

export interface ReplicaSet {
  /** The address of all. */
  readonly url: string;
  readonly members: readonly Member[];
  /** Ends all, and removes their data. */
  stop: () => Promise<void>;
}

export interface ReplicaSetOptions {
  /** Default 1. */
  count?: number;
  /** So long the others do without the primary before they elect another. Default: memory-server's own, 5 s. */
  electionTimeoutMillis?: number;
  /** With access control: the name and the password of its administrator. Default: none. */
  root?: { name: string; password: string };
}

/** Starts a replica set; resolves when it has a primary. */
export async function startReplicaSet(
  { path, version }: MongodBinary,
  { count = 1, electionTimeoutMillis = 5000, root }: ReplicaSetOptions = {},
): Promise<ReplicaSet> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-mongod-'));
  const guard = guardData(folder);
  const removeData = async (): Promise<void> => {
    guard.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  const paths = Array.from({ length: count }, (_, i) => join(folder, `${i}`));
  for (const dbPath of paths) await mkdir(dbPath);
  // A Unix socket would be left behind in the temporary folder by every crash. Test commands make single commands fail.
  const args = ['--setParameter', 'enableTestCommands=1'];
  if (process.platform !== 'win32') args.push('--nounixsocket');
  const replicaSet = new MongoMemoryReplSet({
    // Its own version, because memory-server prints a warning about any other than the one it expects.
    binary: { systemBinary: path, version },
    instanceOpts: paths.map((dbPath) => ({ dbPath, args, launchTimeout: 30_000 })),
    replSet: {
      count,
      storageEngine: 'wiredTiger',
      configSettings: { electionTimeoutMillis },
      ...(root && { auth: { enable: true, customRootName: root.name, customRootPwd: root.password } }),
    },
  });
  try {
    await replicaSet.start();
  } catch (error) {
    await removeData();
    throw error;
  }
  const members = replicaSet.servers.map(createMember);
  return {
    url: replicaSet.getUri(),
    members,
    async stop() {
      // A clean shutdown takes longer, prints warnings if it fails, and saves data that nobody wants.
      await Promise.all(members.map((member) => member.crash()));
      await removeData();
    },
  };
}

function createMember(server: MongoMemoryServer): Member {
  const instance = server.instanceInfo?.instance;
  if (instance === undefined) throw new Error('memory-server started no mongod');
  const running = (): ChildProcess => {
    if (instance.mongodProcess === undefined) throw new Error('mongod is not running');
    return instance.mongodProcess;
  };
  return {
    url: `mongodb://127.0.0.1:${server.instanceInfo?.port}/?directConnection=true`,
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
    async crash() {
      if (instance.mongodProcess === undefined) return;
      const mongod = running();
      // 'close' and not 'exit': memory-server ends what it finds running at 'close', which must not be the next one.
      const closed = once(mongod, 'close');
      mongod.kill('SIGKILL');
      await closed;
      await server.stop({ doCleanup: false });
    },
    restart: () => server.start(true),
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
 * ends. It kills the servers first, because memory-server's own watcher only sends SIGTERM, which a paused
 * server never gets.
 */
function guardData(folder: string): ChildProcess {
  // Its number may be somebody else's by then, who has not this folder among his arguments.
  const kill =
    'for lock in "$0"/*/mongod.lock; do read -r pid <"$lock" && ' +
    'case "$(ps -o args= -p "$pid")" in *"$0"*) kill -KILL "$pid";; esac; done';
  const script = `read -r _; ${kill}; sleep 1; rm -rf "$0"`;
  const guard = spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => undefined); // Without a shell, on Windows, the data stays behind.
  guard.unref();
  return guard;
}
