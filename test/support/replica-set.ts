import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoMemoryReplSet, type MongoMemoryServer } from 'mongodb-memory-server-core';
import { memoryFolder } from './temp.ts';
import type { MongodBinary } from './mongod-binary.ts';

/** One mongod of a set, with the means to make it fail. `pause` and `resume` work on POSIX only. */
export interface Member {
  /** The address of this member alone. */
  readonly url: string;
  /** Suspends it, while its port still accepts connections (SIGSTOP); returns once it is suspended. */
  pause: () => void;
  /** Continues it after `pause` (SIGCONT). */
  resume: () => void;
  /** Kills it without a clean shutdown (SIGKILL); resolves when it has ended. */
  crash: () => Promise<void>;
  /** After `crash`, starts it on the same port and data; resolves when it accepts connections. */
  restart: () => Promise<void>;
}

export interface ReplicaSet {
  /** The address of the set. */
  readonly url: string;
  readonly members: readonly Member[];
  /** Ends all members, and removes their data. */
  stop: () => Promise<void>;
}

export interface ReplicaSetOptions {
  /** Default 1. */
  count?: number;
  /** The election timeout. Default: that of memory-server, 5 s. */
  electionTimeoutMillis?: number;
  /** With access control: the name and the password of its administrator. Default: none. */
  root?: { name: string; password: string };
}

/** Starts a replica set; resolves when it has a primary. */
export async function startReplicaSet(
  { path, version }: MongodBinary,
  { count = 1, electionTimeoutMillis = 5000, root }: ReplicaSetOptions = {},
): Promise<ReplicaSet> {
  const folder = await mkdtemp(join(memoryFolder(), 'shelflist-mongod-'));
  const guard = guardData(folder);
  const removeData = async (): Promise<void> => {
    guard.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  const paths = Array.from({ length: count }, (_, i) => join(folder, `${i}`));
  for (const dbPath of paths) await mkdir(dbPath);
  // A Unix socket would be left behind in the temporary folder by every crash. Test commands make single commands fail. The journal
  // is written at once where somebody waits for it: a shorter interval takes 6 % of a core from an idle server.
  const args = ['--setParameter', 'enableTestCommands=1', '--journalCommitInterval', '10'];
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
      // A clean shutdown takes longer, prints warnings if it fails, and saves data that is not needed.
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
      // Waits for 'close', not 'exit': at 'close', memory-server ends the running process, which must not be the next one.
      const closed = once(mongod, 'close');
      mongod.kill('SIGKILL');
      await closed;
      await server.stop({ doCleanup: false });
    },
    restart: () => server.start(true),
  };
}

/** SIGSTOP suspends one thread after the other. A busy machine may answer requests before the last one is suspended. */
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
  // Another process, which does not have this folder as an argument, may have its pid by then.
  const kill =
    'for lock in "$0"/*/mongod.lock; do read -r pid <"$lock" && ' +
    'case "$(ps -o args= -p "$pid")" in *"$0"*) kill -KILL "$pid";; esac; done';
  const script = `read -r _; ${kill}; sleep 1; rm -rf "$0"`;
  const guard = spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => undefined); // Without a shell, on Windows, the data stays behind.
  guard.unref();
  return guard;
}
