import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readFamily } from './proc.ts';

/** A server in a separate process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Returns its process and the children of it. */
  pids(): number[];
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program. Default: Node. */
  readonly program?: string;
}

const startLimitMs = 60_000;

/** Starts a program with these arguments; the first line of its output is JSON with its `url`. */
export async function startServer(
  args: readonly string[],
  { cwd, env, program = process.execPath }: ServerOptions,
): Promise<ServerProcess> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const closed = once(child, 'close');
  // When this process ends, its children end first, before their folder is removed.
  const end = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', end);
  void closed.then(() => process.off('exit', end));
  const stop = async () => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await closed;
    clearTimeout(kill);
  };
  const limit = AbortSignal.timeout(startLimitMs);
  const line = once(createInterface(child.stdout), 'line', { signal: limit }) as Promise<[string]>;
  try {
    const first = await Promise.race([line, closed.then(() => undefined)]);
    if (first === undefined) throw new Error(`${[program, ...args].join(' ')} ended:\n${errors}`);
    const { url } = JSON.parse(first[0]) as { url: string };
    const pid = child.pid ?? 0;
    return { url, pid, pids: () => readFamily(pid), stop };
  } catch (error) {
    line.catch(() => undefined);
    await stop();
    throw error;
  }
}
