import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { parseServiceUrl } from '../../client/address.ts';
import { findVariable, readDotenv } from '../../config/environment.ts';
import { settings } from '../../config/settings.ts';

/** The service that the `.env` of a folder describes, and its username and password. */
export interface DotenvService {
  /** `undefined` when the `.env` names no address that a client could connect to: port 0, for example. */
  readonly address: DotenvAddress | undefined;
  /** The variables that the address comes from, for messages. */
  readonly addressSource: 'SHELFLIST_URL' | 'HOST and PORT';
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface DotenvAddress {
  /** With a host that a client can connect to, without a trailing slash. An invalid address is left unchanged. */
  readonly url: string;
  /** All names of its host; empty if the address is invalid. */
  readonly hostnames: readonly string[];
}

/**
 * Reads the `.env` of a folder once, so that the address and the password come from the same file. The environment is
 * ignored: a `PORT` there may be meant for another program, and must not decide where this password goes. A variable whose
 * `_FILE` is outside the folder counts as not set.
 *
 * @returns `undefined` if `.env` does not exist, or does not describe a service: it has neither a password nor
 * `SHELFLIST_URL`.
 * @throws {ShelflistError} `config`: the file, or one that its variables name, cannot be read.
 */
export async function readDotenvService(directory: string): Promise<DotenvService | undefined> {
  const dotenv = await readDotenv(directory);
  if (dotenv === undefined) return undefined;
  const find = async (name: string) => {
    const file = dotenv[`${name}_FILE`];
    if (file && !(await isFileBelow(directory, file))) return undefined;
    return (await findVariable(name, dotenv, '.env', directory))?.value;
  };
  const [username, password] = [await find('AUTH_USERNAME'), await find('AUTH_PASSWORD')];
  const pair = { username, password };
  const given = await find('SHELFLIST_URL');
  if (given !== undefined) return { address: givenAddress(given), addressSource: 'SHELFLIST_URL', ...pair };
  if (password === undefined && !dotenv.AUTH_PASSWORD_FILE) return undefined;
  const host = (await find('HOST')) ?? settings.host.default;
  const port = (await find('PORT')) ?? settings.port.default;
  const prefix = (await find('PREFIX')) ?? settings.prefix.default;
  const protocol = dotenv.TLS_CERT || dotenv.TLS_CERT_FILE ? 'https' : 'http';
  return { address: listeningAddress(protocol, host, port, prefix), addressSource: 'HOST and PORT', ...pair };
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

/**
 * Whether a client that connects to a URL reaches the service that a `.env` describes. Only then may it send the
 * password of this `.env`.
 */
export function isDescribed({ address }: DotenvService, url: string): boolean {
  const [own, other] = [parse(address?.url ?? ''), parse(url)];
  if (address === undefined || own === undefined || other === undefined) return false;
  const isSamePlace =
    own.protocol === other.protocol && own.port === other.port && pathOf(own) === pathOf(other);
  return isSamePlace && address.hostnames.includes(other.hostname);
}

function givenAddress(text: string): DotenvAddress {
  const url = parse(text);
  if (url === undefined) return { url: text, hostnames: [] };
  return { url: url.origin + pathOf(url), hostnames: [url.hostname] };
}

const covered: Readonly<Record<string, readonly string[]>> = {
  // All addresses of IPv4 only: another program may listen on ::1, and localhost may be either.
  '0.0.0.0': ['127.0.0.1'],
  '[::]': ['127.0.0.1', '[::1]', 'localhost'],
  localhost: ['127.0.0.1', '[::1]', 'localhost'],
};

/** The URL of a service that listens on this host and port, below a prefix. Rejects anything but a plain host and port. */
function listeningAddress(
  protocol: string,
  host: string,
  port: string,
  prefix: string,
): DotenvAddress | undefined {
  if (!/^[\w.:-]+$/.test(host) || !/^[0-9]{1,10}$/.test(port) || Number(port) === 0) return undefined;
  if (settings.prefix.parser.parse(prefix) === undefined) return undefined;
  const url = parse(`${protocol}://${host.includes(':') ? `[${host}]` : host}:${Number(port)}${prefix}`);
  if (url === undefined) return undefined;
  const hostnames = covered[url.hostname] ?? [url.hostname];
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = '127.0.0.1';
  return { url: url.origin + pathOf(url), hostnames };
}

function parse(text: string): URL | undefined {
  try {
    return parseServiceUrl(text);
  } catch {
    return undefined;
  }
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}
