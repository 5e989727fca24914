import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createPrivateFile } from '../lib/atomic-file.ts';
import { formatDotenv } from './describe-settings.ts';
import type { Environment } from './environment.ts';
import { ConfigError } from './config-error.ts';
import { setPassword } from './password-file.ts';
import { settings, type SettingName } from './settings.ts';
import { articlesOfSystem } from './system-articles.ts';
import { describeWriteProblem } from './write-problem.ts';

/** The user of a catalogue that nobody has named. */
export const defaultUsername = 'librarian';

/** The login of a new catalogue. */
export interface FirstLogin {
  readonly username: string;
  /** Default: a random one. */
  readonly password?: string | undefined;
}

/** Why a username cannot be that of a new `.env`; `undefined` if it can. */
export function findUsernameProblem(username: string): string | undefined {
  if (username === '') return 'the username is empty';
  return /[\r\n']/.test(username) ? "the username contains ' or a line break" : undefined;
}

/**
 * The text of a first `.env`: a random secret, the login, the default place and address, and the articles of the language.
 *
 * @param others Other values than the default ones; `undefined`: none, because the setting is set elsewhere.
 * @throws {ShelflistError} `invalid_payload`: the file cannot hold this password.
 */
export function formatFirstDotenv(
  env: Environment,
  { username, password }: FirstLogin,
  others: Partial<Record<SettingName, string | undefined>> = {},
): Promise<string> {
  const { databaseUrl, host, port } = settings;
  const values: Partial<Record<SettingName, string | undefined>> = {
    ...requiredValues(username),
    databaseUrl: databaseUrl.default,
    host: host.default,
    port: port.default,
    sortArticles: articlesOfSystem(env), // Nobody remembers how to write them.
    ...others,
  };
  const text = `# Written by \`shelflist init\`. Keep it secret: it gives access to the catalogue.\n\n${formatDotenv(values)}`;
  return password === undefined ? Promise.resolve(text) : setPassword(text, password);
}

/** The lines of these required settings, for a `.env` without them: a random secret, the user and a random password. */
export function formatRequired(names: readonly SettingName[], { username }: FirstLogin): string {
  const values = Object.entries(requiredValues(username));
  return formatDotenv(Object.fromEntries(values.filter(([name]) => names.some((each) => each === name))));
}

function requiredValues(username: string) {
  return {
    secretToken: randomBytes(32).toString('hex'),
    authUsername: username,
    authPassword: randomBytes(18).toString('base64url'),
  } satisfies Partial<Record<SettingName, string>>;
}

/**
 * Creates the `.env` of a folder, which only its owner can read. Returns `false` if there is one: it is never overwritten.
 *
 * @throws {ConfigError} It cannot be written.
 */
export async function createDotenv(directory: string, text: string): Promise<boolean> {
  const path = join(directory, '.env');
  try {
    await createPrivateFile(path, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new ConfigError(describeWriteProblem(path, error), { cause: error });
  }
}
