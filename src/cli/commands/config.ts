import type { Command } from 'commander';
import {
  clientVariables,
  type ClientVariable,
  rowOf,
  settingNames,
  settings,
} from '../../config/settings.ts';
import { findVariable, type Setting } from '../../config/environment.ts';
import { createSettingFinder } from '../../config/read-settings.ts';
import { parseServiceUrl } from '../../client/options.ts';
import { isFailure } from '../command-error.ts';
import { redactStoreUrl } from '../../store/drivers.ts';
import { addFormatOptions } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeRecords, type OutputOptions } from '../ui/records.ts';
import { findUsualUrl } from '../session/target.ts';
import { tokenFolder } from '../session/token-cache.ts';

const help = `
Examples:
  $ shelflist config show`;

const showHelp = `
Shows the settings of a service that is started here, then those of the client.
Secrets, and credentials in an address, are never shown.

Examples:
  $ shelflist config show
  $ shelflist config show --json | jq -r '.[] | select(.name == "PORT").source'
  $ shelflist config show --format csv`;

interface Shown {
  name: string;
  value: string | null;
  /** The source of the value, or why it is missing. */
  source: string;
}

const columns = [{ name: 'name' }, { name: 'value' }, { name: 'source' }] as const;

export function defineConfig(command: Command, io: Io): void {
  command.helpCommand(false).addHelpText('after', help);
  addFormatOptions(
    command.command('show').description('show each setting and its source'),
    columns.map(({ name }) => name),
  )
    .addHelpText('after', showHelp)
    .action(async (options: OutputOptions) => {
      await writeRecords(io, columns, await readSettings(io), options);
    });
}

async function readSettings(io: Io): Promise<Shown[]> {
  const { env, directory } = io;
  const find = await createSettingFinder({ env, directory });
  const shown: Shown[] = [];
  for (const name of settingNames) shown.push(await show(rowOf(name), () => find(name)));
  for (const row of Object.values(clientVariables)) shown.push(await show(row, () => findOwn(io, row)));
  const source = env.XDG_CACHE_HOME ? 'environment XDG_CACHE_HOME' : 'default';
  return [...shown, { name: 'token folder', value: tokenFolder(), source }];
}

/** Finds a variable of the client, as commands do. */
async function findOwn(io: Io, { variable }: ClientVariable): Promise<Setting<string> | undefined> {
  const { env, directory } = io;
  const { token, url } = clientVariables;
  // A token is never read from a file.
  const readable = variable === token.variable ? { [variable]: env[variable] } : env;
  const found = await findVariable(variable, readable, 'environment', directory);
  return found ?? (variable === url.variable ? findUsualUrl(io) : undefined);
}

async function show(
  { variable: name, isSecret }: ClientVariable,
  find: () => Promise<Setting<string> | undefined>,
): Promise<Shown> {
  try {
    const setting = await find();
    if (setting === undefined) return { name, value: null, source: 'not set' };
    return { name, value: isSecret ? hidden : await redact(name, setting.value), source: setting.source };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { name, value: null, source: error.message };
  }
}

const hidden = '********';

/** Removes what an address may hold of a password. Hides a text that is not an address. */
async function redact(name: string, value: string): Promise<string> {
  try {
    if (name === settings.databaseUrl.variable) return await redactStoreUrl(value);
    if (name !== clientVariables.url.variable) return value;
    const { origin, pathname } = parseServiceUrl(value);
    return origin + pathname.replace(/\/$/, '');
  } catch {
    return hidden;
  }
}
