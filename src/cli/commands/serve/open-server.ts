import type { Server as SecureServer } from 'node:https';
import type { Server } from 'node:http';
import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { findSocketState, isTaken } from '../../../lib/network.ts';
import {
  type ServiceSettings,
  type SettingSources,
  createSettingFinder,
} from '../../../config/read-settings.ts';
import {
  type ServerSettingName,
  type SettingName,
  type SettingValues,
  flagName,
  serverSettingNames,
  settingNames,
  settings,
} from '../../../config/settings.ts';
import { hasCode, ShelflistError } from '../../../catalogue/errors.ts';
import { ConfigError } from '../../../config/config-error.ts';
import { CommandError } from '../../command-error.ts';
import { type Certificate, type ServerConfig, findCertificateProblem } from '../../../server/config.ts';
import { createLogger } from '../../../server/observability/log.ts';
import type { Shared } from '../../../server/service.ts';
import type { SettingsKeeper } from '../../../server/routes/settings.ts';
import type { StorePassword } from '../../../server/routes/access.ts';
import { type Setting } from '../../../config/environment.ts';
import { type Io, programName, shellWord } from '../../io.ts';
import type { PassedSocket } from './messages.ts';

/**
 * Creates the server that the settings describe, and opens its store.
 *
 * @param storePassword Stores a new password, if the current one comes from where it is stored.
 * @param shared `settings`: those that requests can change.
 * @throws {ConfigError} A setting is missing or malformed. @throws {ShelflistError} `store_unusable`.
 */
export async function openServer(
  settings: ServiceSettings,
  storePassword: StorePassword,
  { settings: kept, ...shared }: Shared & { readonly settings?: SettingsKeeper } = {},
): Promise<Server> {
  const { createSharingServer } = await import('../../../server/server.ts');
  const entries = serverSettingNames.map((name) => [name, settings[name].value]);
  const { secretTokenPrevious, ...values } = Object.fromEntries(entries) as Pick<
    SettingValues,
    ServerSettingName
  >;
  const tls = certificateOf(settings.tlsCert, settings.tlsKey);
  try {
    const config: ServerConfig = {
      ...values,
      ...(secretTokenPrevious !== undefined && { secretTokenPrevious }),
      ...(tls && { tls }),
      ...(isInDotenv(settings.authPassword) && { storePassword }),
      ...(kept && { settings: kept }),
      logger: createLogger(settings.logLevel.value, settings.logFormat.value),
    };
    return await createSharingServer(config, shared);
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('config.databaseUrl: ')) throw error;
    const { source } = settings.databaseUrl; // Only its store can check this setting.
    throw new ConfigError(`DATABASE_URL (${source}) ${error.message.replace('config.databaseUrl: ', '')}`);
  }
}

/** Whether the password is in the `.env` of the folder itself, and not in a file that it names. */
function isInDotenv({ source }: ServiceSettings['authPassword']): boolean {
  return source === `.env ${settings.authPassword.variable}`;
}

/** Creates the function that stores a new password in the `.env` of a folder. */
export function createStorePassword(directory: string): StorePassword {
  return async (password) => {
    const { replacePassword } = await import('../../../config/password-file.ts');
    try {
      await replacePassword(directory, password);
    } catch (error) {
      if (hasCode(error, 'invalid_payload')) throw error;
      throw new ShelflistError('unavailable', { message: (error as Error).message, cause: error });
    }
  };
}

/**
 * Listens; returns the address, which is `unix:PATH` for a socket.
 *
 * @param passed The socket that systemd has passed.
 * @throws {CommandError} `failed`, with advice.
 */
export async function listen(
  server: Server,
  { host, port, socket, prefix }: ServiceSettings,
  passed?: PassedSocket,
): Promise<string> {
  if (passed !== undefined) server.listen({ fd: passed.fd });
  else if (socket.value !== undefined) server.listen(socket.value);
  else server.listen(port.value, host.value);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message =
      passed !== undefined
        ? `cannot listen on the socket that systemd passes: ${code ?? 'unknown reason'}; its .socket unit needs ListenStream, without Accept=yes`
        : socket.value !== undefined
          ? socketProblem(code, socket)
          : listenProblem(code, host, port);
    throw new CommandError('failed', { message });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') return `unix:${address ?? passed?.path ?? ''}`;
  const hostname = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isSecure(server) ? 'https' : 'http'}://${hostname}:${address.port}${prefix.value}`;
}

/** Says why the service cannot listen on a socket, and what to do. */
function socketProblem(
  code: string | undefined,
  { value: path = '', source }: Setting<string | undefined>,
): string {
  const what = `cannot listen on the socket ${path} (${source})`;
  switch (code) {
    case 'EADDRINUSE':
      return `the socket ${path} is in use (${source}); stop the program that listens there, or choose another path with --socket`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${what}: this user may not write to its folder; correct the owner of the folder, or choose another path with --socket`;
    case 'ENOENT':
    case 'ENOTDIR':
      return `${what}: its folder does not exist; create it`;
    default:
      return `${what}: ${code ?? 'unknown reason'}`;
  }
}

/** What failed when the service tried to listen, why, and what to do. */
function listenProblem(
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
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `cannot listen on ${host.value} (${host.source}): the name has no known address; correct HOST`;
    case 'EADDRNOTAVAIL':
      return `cannot listen on ${host.value} (${host.source}): this machine does not have that address; correct HOST (0.0.0.0 means every address)`;
    default:
      return `cannot listen on ${host.value} (${host.source}), port ${port.value} (${port.source}): ${code ?? 'unknown reason'}`;
  }
}

/** Uses another certificate for new connections. A server of plain HTTP has none. */
export function replaceCertificate(server: Server, certificate: Certificate): void {
  if (isSecure(server)) server.setSecureContext(certificate);
}

function isSecure(server: Server): server is SecureServer {
  return 'setSecureContext' in server;
}

type Part = Setting<string | undefined>;

/**
 * The certificate that two settings name; `undefined` if neither does.
 *
 * @throws {ConfigError} One is missing, or they do not fit. Never a value.
 */
function certificateOf(tlsCert: Part, tlsKey: Part): Certificate | undefined {
  const [cert, key] = [tlsCert.value, tlsKey.value];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, other] = key === undefined ? [tlsCert, 'TLS_KEY'] : [tlsKey, 'TLS_CERT'];
    throw new ConfigError(`${given.source} is set, but not ${other} or ${other}_FILE; HTTPS needs both`);
  }
  const problem = findCertificateProblem({ cert, key });
  if (problem !== undefined)
    throw new ConfigError(`TLS_CERT (${tlsCert.source}) and TLS_KEY (${tlsKey.source}): ${problem}`);
  return { cert, key };
}

/** Reads the certificate again from where the service had found it. @throws As {@link certificateOf} does. */
export async function readCertificate(sources: SettingSources): Promise<Certificate | undefined> {
  const find = await createSettingFinder(sources);
  const none = { value: undefined, source: 'not set' };
  return certificateOf((await find('tlsCert')) ?? none, (await find('tlsKey')) ?? none);
}

export interface ServeOptions extends Partial<Record<SettingName, string>> {
  json?: boolean;
  /** Whether to write a missing `.env` without asking. */
  init?: boolean;
  /** Whether to open the page in a browser. */
  open?: boolean;
  /** The socket that systemd has passed. */
  passed?: PassedSocket | undefined;
}

/** The command line that starts the service with these options, for messages. */
function serveLine(io: Io, { init, json, open, ...flags }: Omit<ServeOptions, 'passed'>): string {
  const command =
    io.env.npm_lifecycle_event === 'start'
      ? 'npm start --' // This script has `--init`.
      : `${programName(io)} serve${init ? ' --init' : ''}`;
  const words = settingNames.flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [flagName(name), shellWord(value)];
  });
  return [command, ...words, ...(json ? ['--json'] : []), ...(open ? ['--open'] : [])].join(' ');
}

/** The number of ports that are tried for the advice. */
const maxTriedPorts = 20;

/**
 * Fails before anything else is started if another program listens on the port, with a command line that would work: it repeats
 * the other options, because without them it can serve another catalogue. Removes the socket that an ended program has left
 * behind, because it would prevent listening.
 *
 * @throws {CommandError} `failed`
 */
export async function checkPlace(
  io: Io,
  { host, port, socket }: ServiceSettings,
  { passed, ...options }: ServeOptions,
): Promise<void> {
  if (passed !== undefined) return;
  if (socket.value !== undefined) {
    await freeSocket(socket);
    return;
  }
  if (port.value === 0 || !(await isTaken(host.value, port.value))) return;
  const free = await findFreePort(host.value, port.value);
  const advice =
    free === undefined
      ? undefined
      : `use one that is free: ${serveLine(io, { ...options, port: String(free) })}`;
  throw new CommandError('failed', { message: listenProblem('EADDRINUSE', host, port, advice) });
}

/** Removes the file of a socket whose program has ended. @throws {CommandError} `failed`: something else is there. */
async function freeSocket(socket: Setting<string | undefined>): Promise<void> {
  const { value: path = '', source } = socket;
  const failed = (message: string) => new CommandError('failed', { message });
  let state: Awaited<ReturnType<typeof findSocketState>>;
  try {
    state = await findSocketState(path);
    if (state === 'stale') await unlink(path);
  } catch (error) {
    throw failed(socketProblem((error as NodeJS.ErrnoException).code, socket));
  }
  if (state === 'taken') throw failed(socketProblem('EADDRINUSE', socket));
  if (state === 'file')
    throw failed(`${path} (${source}) is not a socket; move it away, or choose another path with --socket`);
}

/** The next port after one that is taken, if one of the next ones is free. */
export async function findFreePort(host: string, taken: number): Promise<number | undefined> {
  for (let port = taken + 1; port <= taken + maxTriedPorts && settings.port.parser.isValid(port); port++)
    if (!(await isTaken(host, port))) return port;
  return undefined;
}
