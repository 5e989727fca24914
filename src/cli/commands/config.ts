import type { Command } from 'commander';
import { createSettingFinder, findVariable, serviceVariables, type Setting } from '../../config.ts';
import { parseServiceUrl } from '../../client/address.ts';
import { ShelflistError } from '../../errors.ts';
import { redactStoreUrl } from '../../store/drivers.ts';
import { addFormatOptions } from '../arguments.ts';
import type { Io } from '../io.ts';
import { writeRecords, type OutputOptions } from '../output/records.ts';
import { findUsualUrl } from '../login.ts';
import { tokenFolder } from '../token-cache.ts';

const help = `
Examples:
  $ shelflist config show`;

const showHelp = `
The settings of a service that is started here, then those of the client. Secrets are
never shown; nor are the user and the password in the address of a MongoDB.

Examples:
  $ shelflist config show
  $ shelflist config show --json | jq -r '.[] | select(.name == "PORT").source'
  $ shelflist config show --format csv`;

interface Shown {
  name: string;
  value: string | null;
  /** Where the value came from, or why there is none. */
  source: string;
}

export function defineConfig(command: Command, io: Io): void {
  command.helpCommand(false).addHelpText('after', help);
  addFormatOptions(command.command('show').description('show each setting and where it came from'))
    .addHelpText('after', showHelp)
    .action(async (options: OutputOptions) => {
      const columns = [{ name: 'name' }, { name: 'value' }, { name: 'source' }] as const;
      await writeRecords(io, columns, await readSettings(io), options);
    });
}

async function readSettings(io: Io): Promise<Shown[]> {
  const find = await createSettingFinder({ env: io.env, directory: io.directory });
  const shown: Shown[] = [];
  for (const name of serviceVariables) shown.push(await show(name, () => find(name)));
  const findOwn = (name: string) => findVariable(name, io.env, 'environment', io.directory);
  shown.push(
    await show('SHELFLIST_URL', async () => {
      const { url, source } = await findUsualUrl(io);
      return (await findOwn('SHELFLIST_URL')) ?? { value: url, source };
    }),
  );
  for (const name of ['SHELFLIST_USERNAME', 'SHELFLIST_PASSWORD'])
    shown.push(await show(name, () => findOwn(name)));
  shown.push(await showOwn(io, 'SHELFLIST_TOKEN'));
  const folderSource = io.env.XDG_CACHE_HOME ? 'environment XDG_CACHE_HOME' : 'default';
  shown.push({ name: 'token folder', value: await tokenFolder(), source: folderSource });
  return shown;
}

async function show(name: string, find: () => Promise<Setting<string> | undefined>): Promise<Shown> {
  try {
    const setting = await find();
    if (setting === undefined) return { name, value: null, source: 'not set' };
    return { name, value: await mask(name, setting.value), source: setting.source };
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    return { name, value: null, source: error.message };
  }
}

/** A variable that no file can hold. */
async function showOwn({ env }: Io, name: string): Promise<Shown> {
  const value = env[name];
  if (value) return { name, value: await mask(name, value), source: `environment ${name}` };
  return { name, value: null, source: 'not set' };
}

/** What may be seen of a value. */
async function mask(name: string, value: string): Promise<string> {
  if (/TOKEN|PASSWORD/.test(name)) return hidden;
  if (name === 'SHELFLIST_URL') return maskUrl(value);
  if (name !== 'DATABASE_URL') return value;
  return redactStoreUrl(value).catch(() => hidden);
}

const hidden = '********';

/** Of the address of a service, what cannot hold a password; of what is none, nothing. */
function maskUrl(value: string): string {
  try {
    const { origin, pathname } = parseServiceUrl(value);
    return origin + pathname.replace(/\/$/, '');
  } catch {
    return hidden;
  }
}
