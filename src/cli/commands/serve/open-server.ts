import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server as SecureServer } from 'node:https';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import type { SettingValues } from '../../../config/settings.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import type { ServerConfig, Certificate } from '../../../server/config.ts';
import { createLogger } from '../../../server/observability/log.ts';
import type { Shared } from '../../../server/service.ts';
import { certificateOf } from './certificate.ts';

/**
 * Creates the server that the settings describe, and opens its store.
 *
 * @throws {ShelflistError} `config`, `store_unusable`.
 */
export async function openServer(settings: ServiceSettings, shared: Shared = {}): Promise<Server> {
  const { createSharingServer } = await import('../../../server/server.ts');
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- what remains configures the server.
  const { host, port, workers, logLevel, logFormat, secretTokenPrevious, tlsCert, tlsKey, ...values } =
    valuesOf(settings);
  const tls = certificateOf(settings.tlsCert, settings.tlsKey);
  try {
    const config: ServerConfig = {
      ...values,
      ...(secretTokenPrevious !== undefined && { secretTokenPrevious }),
      ...(tls && { tls }),
      logger: createLogger(logLevel, logFormat),
    };
    return await createSharingServer(config, shared);
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('config.databaseUrl: ')) throw error;
    const { source } = settings.databaseUrl; // Only its store can check this setting.
    throw new ShelflistError('config', {
      message: `DATABASE_URL (${source}) ${error.message.replace('config.databaseUrl: ', '')}`,
    });
  }
}

function valuesOf(settings: ServiceSettings): SettingValues {
  const entries = Object.entries(settings).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(entries) as SettingValues;
}

/** Listens; returns the address. @throws {ShelflistError} `failed`, with advice. */
export async function listen(server: Server, { host, port, prefix }: ServiceSettings): Promise<string> {
  server.listen(port.value, host.value);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ShelflistError('failed', {
      message: listenProblem((error as NodeJS.ErrnoException).code, host, port),
    });
  }
  return addressOf(server) + prefix.value;
}

/** What failed when the service tried to listen, why, and what to do. */
export function listenProblem(
  code: string | undefined,
  host: ServiceSettings['host'],
  port: ServiceSettings['port'],
  advice = 'choose another port with --port',
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port.value} of ${host.value} is in use (${port.source}); stop the program that listens there, or ${advice}`;
    case 'EACCES':
      return `this user may not listen on port ${port.value} (${port.source}); choose a port from 1024 with --port`;
    default:
      return `cannot listen on ${host.value} (${host.source}), port ${port.value} (${port.source}): ${code ?? 'unknown reason'}`;
  }
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const protocol = isSecure(server) ? 'https' : 'http';
  return `${protocol}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Uses another certificate for new connections. A server of plain HTTP has none. */
export function replaceCertificate(server: Server, certificate: Certificate): void {
  if (isSecure(server)) server.setSecureContext(certificate);
}

function isSecure(server: Server): server is SecureServer {
  return 'setSecureContext' in server;
}
