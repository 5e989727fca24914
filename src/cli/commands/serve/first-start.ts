import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createDotenv,
  defaultUsername,
  findUsernameProblem,
  type FirstLogin,
  formatFirstDotenv,
  formatRequired,
} from '../../../config/create-dotenv.ts';
import { changeDotenv } from '../../../config/change-dotenv.ts';
import { parseDotenv, readDotenvText } from '../../../config/environment.ts';
import { findPasswordProblem } from '../../../config/password-file.ts';
import {
  createSettingFinder,
  findMisspeltOf,
  readServiceSettings,
  type SettingSources,
} from '../../../config/read-settings.ts';
import { rowOf, settingNames, type SettingName } from '../../../config/settings.ts';
import { isPlaceTaken } from '../../../lib/network.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { ask } from '../../prompt.ts';
import { checkPlace, type ServeOptions } from './open-server.ts';

/** A catalogue that was just made. */
export interface NewCatalogue {
  /** What to say about it. */
  readonly message: string;
  /** Whether somebody sits at a screen of this machine, to whom the page can be shown. */
  readonly hasScreen: boolean;
  /**
   * Removes what was written, because the start failed; not if it was changed since, or if a program listens on its port: that may be
   * a service that has read it.
   *
   * @returns What to say, if it is removed.
   */
  readonly remove: () => Promise<string | undefined>;
}

/**
 * Writes the `.env` of a folder that has none, with the required settings that are not set elsewhere: with `--init`, or if the
 * user at the terminal wants it. With `--init`, a `.env` without them gets them. What else would prevent the start is reported
 * before, as far as the settings tell.
 *
 * @returns `undefined` if it has written nothing.
 * @throws {ConfigError} Another setting is not valid, or the file cannot be written. @throws {CommandError} The port is in use;
 * interrupted.
 */
export async function createCatalogue(
  io: Io,
  sources: SettingSources,
  options: ServeOptions,
): Promise<NewCatalogue | undefined> {
  const before = await readDotenvText(sources.directory);
  if (before !== undefined && options.init !== true) return undefined;
  const { missing, others } = await findSet(sources);
  if (missing.length === 0) return undefined;
  const variables = missing.map((name) => rowOf(name).variable);
  const format = async (login: FirstLogin) => {
    if (before === undefined) return formatFirstDotenv(io.env, login, others);
    return completeDotenv(before, formatRequired(missing, login));
  };
  const draft = await parseDotenv(await format({ username: defaultUsername }));
  if (before !== undefined && findMisspeltOf(variables, io.env, await parseDotenv(before))) return undefined; // The start says so.
  const settings = await readServiceSettings({ ...sources, dotenv: draft });
  const { host, port, socket } = settings;
  await checkPlace(io, settings, options);
  const login = options.init === true ? { username: defaultUsername } : await askLogin(io, missing);
  if (login === undefined) return undefined;
  const text = await format(login);
  const file = join(io.directory, '.env');
  if (before === undefined) {
    if (!(await createDotenv(io.directory, text))) return undefined;
  } else await changeDotenv(io.directory, variables.join(', '), () => text);
  const names = new Intl.ListFormat('en').format(variables);
  const message =
    before === undefined
      ? `wrote ${file}, which only you can read: it has ${names}`
      : `added ${names} to ${file}, which only you can read now`;
  return {
    message,
    hasScreen: hasScreen(io),
    async remove() {
      if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) return undefined;
      if (await isPlaceTaken(host.value, port.value, socket.value)) return undefined;
      try {
        if (before === undefined) await rm(file);
        else await changeDotenv(io.directory, variables.join(', '), () => before);
      } catch {
        return undefined;
      }
      return before === undefined
        ? `removed ${file} again, because the start failed`
        : `removed ${names} from ${file} again, because the start failed`;
    },
  };
}

/** The text of a `.env` with more settings at its end. */
function completeDotenv(before: string, added: string): string {
  return `${before.replace(/\n*$/, before === '' ? '' : '\n\n')}${added}`;
}

/**
 * The required settings that are not set, and what a new `.env` has of those that are: nothing, but the address with which the
 * service starts. Commands read it there, and would find another service.
 */
async function findSet(sources: SettingSources) {
  const find = await createSettingFinder(sources);
  const missing: SettingName[] = [];
  const others: Partial<Record<SettingName, string | undefined>> = {};
  for (const name of settingNames.filter(
    (each) => rowOf(each).isRequired === true || each === 'databaseUrl',
  )) {
    const found = await find(name);
    if (found === undefined) missing.push(name);
    else if (found.source !== 'default') others[name] = undefined;
  }
  for (const name of ['host', 'port', 'socket'] as const) others[name] = (await find(name))?.value;
  if (others.port === '0') others.port = rowOf('port').default; // Whatever is free is another port each time.
  return { missing, others };
}

/** The login of a new catalogue, as far as it is missing; `undefined` if the user wants none. */
async function askLogin(io: Io, missing: readonly SettingName[]): Promise<FirstLogin | undefined> {
  const ifStopped = 'interrupted; nothing was written';
  const question = async (text: string, silent = false) => {
    const answer = await ask(io, text, { silent, ifStopped });
    if (answer === undefined) throw failed('no answer; nothing was written');
    return answer;
  };
  const isWanted = await question(`${io.directory} has no catalogue (no .env). Make one here? [Y/n] `);
  if (!/^(y(es)?)?$/i.test(isWanted.trim())) return undefined;
  const asked = missing.includes('authUsername') ? await question(`Username [${defaultUsername}]: `) : '';
  const username = asked || defaultUsername;
  const problem = findUsernameProblem(username);
  if (problem !== undefined) throw failed(`${problem}; nothing was written`);
  if (!missing.includes('authPassword')) return { username };
  const password = await question('Password [a random one, in .env]: ', true);
  if (password === '') return { username };
  const weakness = findPasswordProblem(password);
  if (weakness !== undefined) throw failed(`${weakness}; nothing was written`);
  if ((await question('Again: ', true)) === password) return { username, password };
  throw failed('the passwords differ; nothing was written');
}

function hasScreen({ stdin, env }: Io): boolean {
  const isSystemWithScreen = ['darwin', 'win32'].includes(process.platform) && !env.SSH_CONNECTION;
  return stdin.isTTY === true && (isSystemWithScreen || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY));
}

function failed(message: string): CommandError {
  return new CommandError('failed', { message });
}
