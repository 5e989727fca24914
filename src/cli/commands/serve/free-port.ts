import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import type { Io } from '../../io.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { serveLine, type ServeOptions } from './command-line.ts';
import { listenProblem } from './open-server.ts';

/** How many of the next ports are tried. */
const maxTriedPorts = 20;

/**
 * Fails before anything else is started if another program listens on the port, with a command line that would work:
 * it repeats the other options, because without them it may serve another catalogue.
 *
 * @throws {ShelflistError} `failed`
 */
export async function checkPort(
  io: Io,
  { host, port }: ServiceSettings,
  options: ServeOptions,
): Promise<void> {
  if (port.value === 0 || !(await isTaken(host.value, port.value))) return;
  const free = await findFreePort(host.value, port.value);
  const advice =
    free === undefined
      ? undefined
      : `use one that is free: ${serveLine(io, { ...options, port: String(free) })}`;
  throw new ShelflistError('failed', { message: listenProblem('EADDRINUSE', host, port, advice) });
}

async function findFreePort(host: string, taken: number): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + maxTriedPorts, 65_535); port++)
    if (!(await isTaken(host, port))) return port;
  return undefined;
}

/** Other problems, such as an invalid address, are found when the service listens. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}
