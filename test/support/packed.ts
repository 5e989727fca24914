import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { cleanEnvironment, type Outcome } from './cli.ts';
import { temporaryFolder, type Scope } from './temp.ts';

/** The checkout. */
export const root = join(import.meta.dirname, '../..');

/** npm and npx without the registry. */
export const offline = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };

export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end, for at most two minutes. Default environment: a clean one. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = cleanEnvironment(cwd) }: RunOptions,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(240_000);
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], signal });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

export interface Installed {
  /** The package as `npm publish` would send it. */
  tarball: string;
  /** A folder that was empty before the package was installed in it. */
  folder: string;
}

/**
 * Packs the built package and installs it in an empty folder. Its dependencies come from npm's cache, which `npm ci` has
 * filled; anything else (lists of versions) comes from the registry.
 */
export async function installPackage(context: Scope): Promise<Installed> {
  assert.ok(existsSync(join(root, 'dist/index.js')), 'there is no build: npm run build');
  const place = await temporaryFolder(context);
  const folder = await temporaryFolder(context);
  await npm(root, 'pack', '--ignore-scripts', '--pack-destination', place);
  const [name, ...others] = readdirSync(place);
  assert.ok(name !== undefined && others.length === 0);
  const tarball = join(place, name);
  await npm(
    folder,
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    tarball,
  );
  return { tarball, folder };
}

/** A new folder with the package and others from the registry. */
export async function installBeside(context: Scope, tarball: string, ...names: string[]): Promise<string> {
  const place = await temporaryFolder(context);
  await writeFile(join(place, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(place, 'install', ...options, tarball, ...names);
  return place;
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  // The environment of the user, which may set the cache and the registry.
  const { code, stderr } = await run('npm', args, { cwd, env: process.env });
  assert.equal(code, 0, `npm ${args.join(' ')}: ${stderr}`);
}

export interface Foreground {
  url: string;
  /** Its standard error so far. */
  stderr(): string;
  /** Sends a signal to its process group, as a terminal does. Returns the status and signal of the command, once all have ended. */
  stop(signal?: NodeJS.Signals): Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** Sends a signal to the command alone, as a supervisor does. */
  stopAlone(signal: NodeJS.Signals): Promise<[code: number | null, signal: NodeJS.Signals | null]>;
}

/** Runs a service command in a separate process group, as a shell on a terminal does; resolves once it listens. */
export async function startForeground(
  context: Scope,
  command: string,
  args: readonly string[],
  { cwd, env = cleanEnvironment(cwd) }: RunOptions,
): Promise<Foreground> {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  let ended = false;
  const closed = once(child, 'close').finally(() => (ended = true)) as Promise<
    [number | null, NodeJS.Signals | null]
  >;
  const stop: Foreground['stop'] = (signal = 'SIGINT') => {
    if (!ended && child.pid !== undefined) process.kill(-child.pid, signal);
    return closed;
  };
  const stopAlone: Foreground['stopAlone'] = (signal) => {
    child.kill(signal);
    return closed;
  };
  context.after(() => stop('SIGKILL'));
  let stderr = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
      const [, listens, started] =
        /listens on (\S+)[^]*Ctrl-C stops it\n|address there: (\S+)\/\n.+\n/.exec(stderr) ?? [];
      const address = listens ?? started;
      if (address !== undefined) resolve(address);
    });
    child.on('close', () => {
      reject(new Error(`${command} ${args.join(' ')} ended: ${stderr}`));
    });
  });
  return { url, stderr: () => stderr, stop, stopAlone };
}
