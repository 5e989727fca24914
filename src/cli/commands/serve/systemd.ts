import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ConfigError } from '../../../config/config-error.ts';
import type { Io } from '../../io.ts';
import type { PassedSocket, Say } from './messages.ts';

/** The first descriptor that systemd passes on. */
const firstFd = 3;

/**
 * Takes the socket that systemd has passed to this process, and removes its variables from the environment, which children inherit.
 *
 * @returns Neither if there is none; `warning` if it is for another process.
 * @throws {ConfigError} There are several.
 */
export async function takePassedSocket({
  env,
}: Pick<Io, 'env'>): Promise<{ readonly passed?: PassedSocket; readonly warning?: string }> {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES'])
    for (const each of [env, process.env]) Reflect.deleteProperty(each, name); // node:cluster passes the latter on.
  if (!LISTEN_FDS || LISTEN_FDS === '0') return {};
  if (LISTEN_PID !== String(process.pid))
    return {
      warning:
        'the socket that systemd passes is not used, because it is for another process (LISTEN_PID), such as a shell that starts node ' +
        '(fix: start node itself, or write `exec` before it)',
    };
  if (LISTEN_FDS !== '1')
    throw new ConfigError(
      'systemd passes several sockets (LISTEN_FDS), but the service listens on one; leave one ListenStream in its .socket unit',
    );
  return { passed: { fd: firstFd, path: await pathOfSocket(firstFd).catch(() => undefined) } };
}

/** Finds the path of a unix socket, which Node does not report, by its inode in a table of Linux (proc_net(5)). */
async function pathOfSocket(fd: number): Promise<string | undefined> {
  const [, inode = ''] = /^socket:\[([0-9]+)\]$/.exec(await readlink(`/proc/self/fd/${fd}`)) ?? [];
  const line = new RegExp(`^(?:\\S+ +){6}${inode} (/.*)$`, 'm');
  return line.exec(await readFile('/proc/self/net/unix', 'utf8'))?.[1];
}

/**
 * Reports a state to systemd if its unit asks for it (`Type=notify`, `NotifyAccess=all`). It runs `systemd-notify`, because Node
 * has no unix datagram sockets.
 */
export async function notifySystemd({ env }: Io, say: Say, state: 'READY=1' | 'STOPPING=1'): Promise<void> {
  const { NOTIFY_SOCKET, PATH } = env;
  if (!NOTIFY_SOCKET) return;
  try {
    const words = [state, `--pid=${process.pid}`];
    await promisify(execFile)('systemd-notify', words, { env: { NOTIFY_SOCKET, PATH } });
  } catch (error) {
    say(`cannot notify systemd: ${(error as Error).message.split('\n')[0] ?? ''}`, 'warn');
  }
}
