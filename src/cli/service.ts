import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceSettings } from '../config.ts';
import { ShelflistError } from '../errors.ts';
import type { ServerConfig } from '../server/config.ts';
import { createLogger } from '../server/log.ts';
import type { Shared } from '../server/service.ts';

/** What is different where several workers are one service. */
interface Sharing extends Shared {
  /** Whether to warn of a weak secret; one of them is enough. */
  warn: boolean;
}

/**
 * Makes the server that the settings describe; its store is open then.
 *
 * @throws {ShelflistError} `config`, `store_unusable`.
 */
export async function openServer(settings: ServiceSettings, { warn, ...shared }: Sharing): Promise<Server> {
  const { createSharingServer } = await import('../server/server.ts');
  const previous = settings.secretTokenPrevious.value;
  const logger = createLogger(settings.logLevel.value, settings.logFormat.value);
  try {
    const config: ServerConfig = {
      databaseUrl: settings.databaseUrl.value,
      secretToken: settings.secretToken.value,
      ...(previous !== undefined && { secretTokenPrevious: previous }),
      authUsername: settings.authUsername.value,
      authPassword: settings.authPassword.value,
      acceptBearer: settings.acceptBearer.value,
      bodyLimitBytes: settings.bodyLimitBytes.value,
      bulkLimitBytes: settings.bulkLimitBytes.value,
      historyDays: settings.historyDays.value,
      historyMaxBytes: settings.historyMaxBytes.value,
      corsOrigins: settings.corsOrigins.value,
      trustedProxies: settings.trustedProxies.value,
      metrics: settings.metrics.value,
      logger: warn ? logger : { ...logger, warn: () => undefined },
    };
    return await createSharingServer(config, shared);
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('config.databaseUrl: ')) throw error;
    const { source } = settings.databaseUrl; // The one setting that only its store can judge.
    throw new ShelflistError('config', {
      message: `DATABASE_URL (${source}) ${error.message.replace('config.databaseUrl: ', '')}`,
    });
  }
}

/** Gives the address that it listens on. @throws {ShelflistError} `failed`, with what to do. */
export async function listen(server: Server, { host, port }: ServiceSettings): Promise<string> {
  server.listen(port.value, host.value);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ShelflistError('failed', {
      message: listenProblem((error as NodeJS.ErrnoException).code, host, port),
    });
  }
  return addressOf(server);
}

function listenProblem(
  code: string | undefined,
  host: ServiceSettings['host'],
  port: ServiceSettings['port'],
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port.value} of ${host.value} is taken (${port.source}); stop what listens there, or choose another with --port`;
    case 'EACCES':
      return `this user may not listen on port ${port.value} (${port.source}); choose one from 1024 with --port`;
    default:
      return `cannot listen on ${host.value} (${host.source}), port ${port.value} (${port.source}): ${code ?? 'unknown reason'}`;
  }
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
