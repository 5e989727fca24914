import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Scope } from './temp.ts';

/** The built program. */
export const program = join(import.meta.dirname, '../../dist/bin/shelflist.js');

/** What a service cannot do without. */
export const settings = {
  SECRET_TOKEN: 'the-secret-of-this-test-with-38-bytes!',
  AUTH_USERNAME: 'librarian',
  AUTH_PASSWORD: 'the-password-of-this-test',
};

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ShellOptions {
  /** The working directory; the program keeps its tokens below it too. */
  cwd: string;
  env?: Record<string, string>;
  input?: string;
}

/**
 * The environment of a user who has set nothing: only what a shell needs, and a home of its own; and what writes the
 * answers of services down (`recorder.mjs`), unless `env` has `NODE_OPTIONS` of its own.
 */
export function cleanEnvironment(home: string, env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, ANSWERS_FOLDER } = process.env;
  return {
    ...(NODE_OPTIONS !== undefined && { NODE_OPTIONS }),
    ...(ANSWERS_FOLDER !== undefined && { ANSWERS_FOLDER }),
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, '.cache'),
    LANG: 'C.UTF-8',
    ...env,
  };
}

/** Runs a command line in a real shell, in which `shelflist` is the built program. */
export async function shell(commandLine: string, { cwd, env, input }: ShellOptions): Promise<Outcome> {
  const script = `shelflist() { "${process.execPath}" "${program}" "$@"; }\n${commandLine}`;
  const child = spawn('bash', ['-c', script], { cwd, env: cleanEnvironment(cwd, env) });
  child.stdin.on('error', () => undefined); // A command that reads no input may end before it gets it.
  child.stdin.end(input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

export interface RunningService {
  child: ChildProcess;
  url: string;
  /** What it has written to standard error so far. */
  stderr(): string;
  /** Waits until it has written something that matches. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal; gives the exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Runs `shelflist serve` in a folder, on a free port, until the test ends; gives its address once it listens.
 *
 * @param wrapper A command that runs it: it must become the service, or pass signals on.
 */
export async function serve(
  context: Scope,
  cwd: string,
  env: Record<string, string> = {},
  wrapper: readonly string[] = [],
): Promise<RunningService> {
  const [command, ...args] = [...wrapper, process.execPath, program, 'serve', '--port', '0'] as const;
  const child = spawn(command, args, {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  let stderr = '';
  let onText = (): void => undefined;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    onText();
  });
  const said = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      onText = () => {
        const found = pattern.exec(stderr);
        if (found) resolve(found);
      };
      onText();
      child.once('close', () => {
        reject(new Error(`serve ended: ${stderr}`));
      });
    });
  const [, url = ''] = await said(/listens on ([^\s"]+)/);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await closed;
    return code;
  };
  context.after(() => stop());
  return { child, url, stderr: () => stderr, said, stop };
}

/** The processes that a service has started. */
export async function workersOf({ child }: Pick<RunningService, 'child'>): Promise<number[]> {
  const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Resolves when none of these processes is left. */
export async function gone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (const pid of pids) {
    while (await isAlive(pid)) assert.ok(Date.now() < deadline, `process ${pid} is left`);
  }
}

/** A process whose parent has gone stays a zombie where nobody takes it up: that one is gone too. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    return !/\) [ZX] /.test(await readFile(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
