import { defaultServiceUrl } from '../../client/options.ts';
import { clientVariables } from '../../config/settings.ts';
import { findVariable, type Setting } from '../../config/environment.ts';
import { CommandError } from '../command-error.ts';
import { programName, shellWord, type Io } from '../io.ts';
import { checkUrl, readDotenvAddress } from './dotenv.ts';
import { readLastLogin } from './token-cache.ts';

/** The options of every command that talks to a service. */
export interface SessionOptions {
  url?: string;
  username?: string;
}

/** The service that a command talks to. */
export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  /** Whether the password and token in the environment are for this service. */
  readonly isEnvironments: boolean;
  /** The command line that logs in to this service, as the named user if there is one. */
  readonly loginLine: string;
}

/**
 * Finds the service that a command talks to: `--url`, else `SHELFLIST_URL`, else {@link findUsualUrl}.
 *
 * A password or token in the environment is for the service in its `SHELFLIST_URL`. If that is not set, it is for the
 * service in `--url` or the default address; never for an address that only a `.env` or an earlier login names,
 * because the folder may belong to somebody else.
 *
 * @throws {CommandError} `usage`: an address is invalid.
 * @throws {ShelflistError} `config`: no address is named, and the source of the usual one cannot be read.
 */
export async function findTarget(io: Io, options: SessionOptions): Promise<Target> {
  const environments = await findOwn(io, 'url');
  const named = options.url || environments;
  const reading = findUsualUrl(io).then(({ value }) => value);
  // If an address is named, an unreadable usual one only makes the advised `login` command longer.
  const usual = named ? await reading.catch(() => undefined) : await reading;
  const url = checked(named || (usual ?? ''));
  const own = environments ?? (options.url || defaultServiceUrl);
  const isEnvironments = URL.canParse(own) && new URL(own).origin === new URL(url).origin;
  const isUsual = url === usual && (environments ?? url) === url;
  const address = isUsual ? '' : ` --url ${shellWord(url)}`;
  const user = options.username ? ` --username ${shellWord(options.username)}` : '';
  return { url, isEnvironments, loginLine: `${programName(io)} login${address}${user}` };
}

/**
 * The unchecked address when neither option nor environment names one: that of the `.env` in this folder, else that of the last
 * `login`, else port 8080 of this machine.
 *
 * @throws {ShelflistError} `config`: one of these sources exists but cannot be read. The next one may name another service.
 */
export async function findUsualUrl(io: Io): Promise<Setting<string>> {
  const described = await readDotenvAddress(io.directory);
  if (described !== undefined) return described;
  const last = await readLastLogin();
  return last === undefined
    ? { value: defaultServiceUrl, source: 'default' }
    : { value: last, source: 'last login' };
}

export function hasEnvironmentLogin({ env }: Io): boolean {
  return ['TOKEN', 'PASSWORD', 'PASSWORD_FILE'].some((name) => env[`SHELFLIST_${name}`]);
}

/** The value of a variable of the client in the environment. */
export async function findOwn(
  { env, directory }: Io,
  name: keyof typeof clientVariables,
): Promise<string | undefined> {
  return (await findVariable(clientVariables[name].variable, env, 'environment', directory))?.value;
}

function checked(text: string): string {
  try {
    return checkUrl(text);
  } catch (error) {
    throw new CommandError('usage', { message: (error as TypeError).message });
  }
}
