import assert from 'node:assert/strict';
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../src/cli/program/main.ts';
import { ownCommands } from './output.ts';
import type { Scope } from './temp.ts';

/** The built program. */
export const program = join(import.meta.dirname, '../../dist/bin/shelflist.cjs');

/** The required settings of a service. */
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

export interface RunOptions {
  /** The working directory; the program keeps its tokens below it too. */
  cwd: string;
  env?: Record<string, string> | undefined;
  input?: string;
  /** Whether standard error is a terminal, for a command within this process. Default: it is not. */
  isTerminal?: boolean;
  /** Whether standard output is one. Default: it is not. */
  showsOutput?: boolean;
}

/** The arguments of a `shelflist` command, or a command line for a shell. */
export type Command = string | readonly string[];

/**
 * The environment of a user without settings: only what a shell needs, and a separate home. It loads the recorder of
 * responses (`recorder.mjs`), unless `env` has its own `NODE_OPTIONS`.
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

/** Runs arguments within this process, from the source, and a command line in a shell, with the built program. */
export function run(command: Command, options: RunOptions): Promise<Outcome> {
  return typeof command === 'string' ? shell(command, options) : shelflist(command, options);
}

/** A command as the title of a test shows it, with the names of its variables. */
export function titleOf(command: Command, env: object = {}): string {
  const words = typeof command === 'string' ? [command] : ['shelflist', ...command];
  return [...Object.keys(env), ...words].join(' ');
}

/**
 * Runs a command line in bash, where `shelflist` is the built program: for pipes, redirects and quotes, and for commands
 * that start processes or run until they are stopped.
 */
export async function shell(commandLine: string, { cwd, env, input }: RunOptions): Promise<Outcome> {
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

const startFolder = process.cwd();
const startCache = process.env.XDG_CACHE_HOME;
/** The home and the number of the running commands, and a promise for the end of the last one. */
const running = new EventEmitter<{ idle: [] }>();
let home = '';
let count = 0;

/**
 * Relative addresses of stores and the token folder depend on the process: they follow the commands that run. Commands of one
 * home may run at the same time; those of another wait.
 */
async function enter(cwd: string, cache = ''): Promise<() => void> {
  const wanted = `${cwd} ${cache}`;
  while (count > 0 && home !== wanted) await once(running, 'idle');
  home = wanted;
  count++;
  process.chdir(cwd);
  setVariable('XDG_CACHE_HOME', cache);
  return () => {
    if (--count > 0) return;
    process.chdir(startFolder);
    setVariable('XDG_CACHE_HOME', startCache);
    running.emit('idle');
  };
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}

/** Runs a command within this process, from the source; it does not have the environment of the tests. */
export async function shelflist(
  args: readonly string[],
  { cwd, env, input = '', isTerminal = false, showsOutput = false }: RunOptions,
): Promise<Outcome> {
  const io = {
    stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
    stdout: Object.assign(new PassThrough(), { isTTY: showsOutput }),
    stderr: Object.assign(new PassThrough(), { isTTY: isTerminal }),
    env: cleanEnvironment(cwd, env),
    directory: cwd,
  };
  const outputs = Promise.all([text(io.stdout), text(io.stderr)]);
  const leave = await enter(cwd, io.env.XDG_CACHE_HOME);
  const code = await main(args, io);
  leave();
  io.stdout.end();
  io.stderr.end();
  const [stdout, stderr] = await outputs;
  ownCommands.publish({ args, env: io.env, directory: cwd, output: stdout + stderr });
  return { code, stdout, stderr };
}

export interface RunningService {
  child: ChildProcess;
  url: string;
  /** Its standard error so far. */
  stderr(): string;
  /** Waits until it has written something that matches. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal; gives the exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Runs `shelflist serve` in a folder, on a free port or the `SOCKET` of `env`, until the test ends; gives its address once it listens.
 *
 * @param wrapper A command that runs it: it must become the service, or pass signals on.
 * @param options Further options of `serve`.
 */
export async function serve(
  context: Scope,
  cwd: string,
  env: Record<string, string> = {},
  wrapper: readonly string[] = [],
  options: readonly string[] = [],
): Promise<RunningService> {
  const [command, ...args] = [...wrapper, process.execPath, program, 'serve'] as const;
  if (env.SOCKET === undefined) args.push('--port', '0');
  const child = spawn(command, [...args, ...options], {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  const { said, stderr } = watchErrors(child);
  const [, url = ''] = await said(/listens on ([^\s"]+)/);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await closed;
    return code;
  };
  context.after(() => stop());
  return { child, url, stderr, said, stop };
}

/** Reads the standard error of `serve`: all of it so far, and a promise for what it will contain. */
export function watchErrors(child: ChildProcessByStdio<null | Writable, null | Readable, Readable>) {
  let stderr = '';
  let onText = (): void => undefined;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    onText();
  });
  /** @throws if the process ends before. */
  const said = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      onText = () => {
        const found = pattern.exec(stderr);
        if (found) resolve(found);
      };
      onText();
      child.once('close', (code) => {
        reject(new Error(`serve ended with ${code}: ${stderr}`));
      });
    });
  return { said, stderr: () => stderr };
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

/** Without an init process, an orphan stays a zombie after its end; it counts as ended. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    return !/\) [ZX] /.test(await readFile(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
