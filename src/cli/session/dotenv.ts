import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { parseServiceUrl } from '../../client/options.ts';
import { findVariable, readDotenv, type Setting } from '../../config/environment.ts';
import { clientVariables, settings, type SettingName } from '../../config/settings.ts';

/** The service that the `.env` of a folder describes, and its username and password. */
export interface DotenvService {
  /** `SHELFLIST_URL`, which may be invalid; else the URL of `HOST` and `PORT`, if a client can connect to it. */
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
  const dotenv = await readDotenv(directory);
  if (dotenv === undefined) return undefined;
  const find = async ({ variable }: { variable: string }) => {
    const file = dotenv[`${variable}_FILE`];
    if (file && !(await isFileBelow(directory, file))) return undefined;
    return findVariable(variable, dotenv, '.env', directory);
  };
  const valueOf = async (name: SettingName) => (await find(settings[name]))?.value;
  const username = await valueOf('authUsername');
  const password = await valueOf('authPassword');
  const given = await find(clientVariables.url);
  if (given !== undefined)
    return { address: { ...given, value: normalize(given.value) ?? given.value }, username, password };
  if (password === undefined && !dotenv.AUTH_PASSWORD_FILE) return undefined;
  const host = (await valueOf('host')) ?? settings.host.default;
  const port = (await valueOf('port')) ?? settings.port.default;
  const prefix = (await valueOf('prefix')) ?? settings.prefix.default;
  const protocol = dotenv.TLS_CERT || dotenv.TLS_CERT_FILE ? 'https' : 'http';
  const url = listeningUrl(protocol, host, port, prefix);
  const address = url === undefined ? undefined : { value: url, source: '.env HOST and PORT' };
  return { address, username, password };
}

/**
 * Whether a path is that of a file in the folder, also below it. The folder may belong to somebody else, whose `.env` must not
 * send other files of the user, such as tokens, to the service that it names.
 */
async function isFileBelow(directory: string, file: string): Promise<boolean> {
  try {
    const path = await realpath(resolve(directory, file));
    return path.startsWith((await realpath(directory)) + sep) && (await stat(path)).isFile();
  } catch {
    return true; // There is none: reading it says so.
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
