import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

/** Programs that tests use and npm does not have. They are stored outside the checkout, once. */
const run = promisify(execFile);

export function cacheFolder(): string {
  const given = process.env.XDG_CACHE_HOME;
  // A relative path is invalid by the XDG specification: it would be a folder in the checkout.
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.cache');
  return join(base, 'shelflist-test');
}

/** The folder of a tool, filled by `fill` if it is new; undefined if that fails. */
async function stored(name: string, fill: (folder: string) => Promise<void>): Promise<string | undefined> {
  const kept = join(cacheFolder(), name);
  if (existsSync(kept)) return kept;
  let work: string | undefined;
  try {
    await mkdir(cacheFolder(), { recursive: true });
    work = await mkdtemp(join(cacheFolder(), 'new-'));
    await fill(join(work, 'out'));
    // Other test processes may do the same: each finds a complete folder, or none.
    await rename(join(work, 'out'), kept).catch(() => undefined);
    return existsSync(kept) ? kept : undefined;
  } catch {
    return undefined;
  } finally {
    if (work !== undefined) await rm(work, { recursive: true, force: true });
  }
}

/** @param requirement Pinned by its digest, because its code is executed: `name==1.2 --hash=sha256:…`. */
export function pythonPackage(name: string, requirement: string): Promise<string | undefined> {
  return stored(name, async (folder) => {
    await mkdir(folder);
    const requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, requirement);
    await pip(['install', '--target', folder, '--require-hashes', '-r', requirements]);
  });
}

async function pip(args: string[]): Promise<void> {
  const limits = { timeout: 120_000, killSignal: 'SIGKILL' } as const;
  args.push('--no-deps', '--no-compile', '--no-cache-dir', '--no-input', '--retries=1', '--timeout=15');
  const isModule = await run('python3', ['-m', 'pip', '--version']).catch(() => undefined);
  if (isModule) await run('python3', ['-m', 'pip', ...args], limits);
  else await run('pip', args, limits);
}
