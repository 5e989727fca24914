import { ConfigError } from '../../config/config-error.ts';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { parseServiceUrl } from '../../client/options.ts';
import { findVariable, readDotenv, type Environment, type Setting } from '../../config/environment.ts';
import { clientVariables, settings } from '../../config/settings.ts';

/** The service that the `.env` of a folder describes, and its username and password. */
export interface DotenvService {
  /**
   * `SHELFLIST_URL`, which can be invalid; otherwise the URL of `HOST` and `PORT`, if a client can connect to it (not to a
   * `SOCKET`).
   */
  readonly address: Setting<string> | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/**
 * Reads the `.env` of a folder once, so that the address and the password come from the same file. The environment is
 * ignored: a `PORT` there may be meant for another program, and must not decide where this password goes. A variable whose
 * `_FILE` is outside the folder counts as not set.
 *
 * @returns `undefined` if `.env` does not exist, or has neither a password nor `SHELFLIST_URL`.
 * @throws {ShelflistError} `config`: the file, or one that its variables name, cannot be read.
 */
export async function readDotenvService(directory: string): Promise<DotenvService | undefined> {
  const dotenv = await openDotenv(directory);
  if (dotenv === undefined) return undefined;
  const { value: address } = await findAddress(dotenv);
  const valueOf = async ({ variable }: Row) => (await dotenv.find(variable))?.value;
  return {
    address,
    username: await valueOf(settings.authUsername),
    password: await valueOf(settings.authPassword),
  };
}

/**
 * The address in {@link readDotenvService}. It does not need the password, which this user may not be allowed to read.
 *
 * @returns `undefined` if the `.env` describes no service, or one on a free port, whose number it cannot know.
 * @throws {ShelflistError} `config`: a file cannot be read, or no client can connect to the service as described. A fallback to
 *   another address would send a command to another service.
 */
export async function readDotenvAddress(directory: string): Promise<Setting<string> | undefined> {
  const dotenv = await openDotenv(directory);
  if (dotenv === undefined) return undefined;
  const { value, problem } = await findAddress(dotenv);
  if (problem === undefined) return value;
  throw new ConfigError(
    `${join(directory, '.env')} describes a service, but ${problem}; set SHELFLIST_URL there, or pass --url`,
  );
}

interface Dotenv {
  readonly variables: Environment;
  /** Whether the file that holds the value is outside the folder, and therefore not read. */
  readonly isOutside: (variable: string) => Promise<boolean>;
  readonly find: (variable: string) => Promise<Setting<string> | undefined>;
}

interface Row {
  readonly variable: string;
}

/** @returns `undefined` if the `.env` does not describe a service. */
async function openDotenv(directory: string): Promise<Dotenv | undefined> {
  const variables = await readDotenv(directory);
  const isSet = ({ variable }: Row) =>
    Boolean(variables?.[variable]) || Boolean(variables?.[`${variable}_FILE`]);
  if (variables === undefined || ![clientVariables.url, settings.authPassword].some(isSet)) return undefined;
  const isOutside = async (variable: string) => {
    const file = variables[`${variable}_FILE`];
    return Boolean(file) && !(await isFileBelow(directory, file ?? ''));
  };
  return {
    variables,
    isOutside,
    find: async (variable) =>
      (await isOutside(variable)) ? undefined : findVariable(variable, variables, '.env', directory),
  };
}

/** The address of the service, or why clients cannot know it; neither for a free port. */
async function findAddress({
  variables,
  isOutside,
  find,
}: Dotenv): Promise<{ value?: Setting<string>; problem?: string }> {
  const { host, port, prefix, socket } = settings;
  for (const { variable } of [clientVariables.url, host, port, prefix, socket])
    if (await isOutside(variable))
      return { problem: `the file that ${variable}_FILE names is not below its folder` };
  const given = await find(clientVariables.url.variable);
  if (given !== undefined) return { value: { ...given, value: normalize(given.value) ?? given.value } };
  if ((await find(socket.variable)) !== undefined)
    return { problem: 'commands cannot connect to its SOCKET' };
  const valueOf = async (row: Row & { default: string }) => (await find(row.variable))?.value ?? row.default;
  const texts = [await valueOf(host), await valueOf(port), await valueOf(prefix)] as const;
  if (port.parser.parse(texts[1]) === 0) return {};
  const protocol = variables.TLS_CERT || variables.TLS_CERT_FILE ? 'https' : 'http';
  const url = listeningUrl(protocol, ...texts);
  return url === undefined
    ? { problem: 'clients cannot connect to its HOST, PORT and PREFIX' }
    : { value: { value: url, source: '.env HOST and PORT' } };
}

/**
 * Whether a path is that of a file in the folder, also below it. The folder may belong to somebody else, whose `.env` must not
 * send other files of the user, such as tokens, to the service that it names.
 */
async function isFileBelow(directory: string, file: string): Promise<boolean> {
  const isBelow = (path: string, folder: string) => path.startsWith(folder + sep);
  const path = resolve(directory, file);
  try {
    const real = await realpath(path);
    const found = await stat(real); // A pipe would block the command; reading a folder fails.
    return isBelow(real, await realpath(directory)) && (found.isFile() || found.isDirectory());
  } catch {
    return isBelow(path, directory); // It is missing, or a pipe of this process: reading it reports that.
  }
}

/** The URL of a service that listens on this host and port. Rejects anything but a plain host, port and path. */
function listeningUrl(protocol: string, host: string, port: string, prefix: string): string | undefined {
  const number = settings.port.parser.parse(port);
  if (!number || !/^[\w.:-]+$/.test(host) || settings.prefix.parser.parse(prefix) === undefined)
    return undefined;
  const reachable = ['0.0.0.0', '::'].includes(host) ? settings.host.default : host;
  const hostname = reachable.includes(':') ? `[${reachable}]` : reachable;
  return normalize(`${protocol}://${hostname}:${number}${prefix}`);
}

/** Whether this is the URL of the service that a `.env` describes. Only then may it receive the password of this `.env`. */
export function isDescribed({ address }: Pick<DotenvService, 'address'>, url: string): boolean {
  const own = address && normalize(address.value);
  return own !== undefined && own === normalize(url);
}

function normalize(url: string): string | undefined {
  try {
    return checkUrl(url);
  } catch {
    return undefined;
  }
}

/** A URL in its normal form, without a trailing slash. @throws {TypeError} It is not the address of a service. */
export function checkUrl(text: string): string {
  const url = parseServiceUrl(text);
  return url.origin + url.pathname.replace(/\/+$/, '');
}
