// The settings that the page changes, where the next start reads them: the `.env` of a folder.
import { isDeepStrictEqual } from 'node:util';
import {
  changeableSettings,
  type ChangeableSetting,
  type ChangeableSettings,
  type FixedSetting,
  type SettingsPatch,
} from '../catalogue/changeable-settings.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { changeDotenv } from './change-dotenv.ts';
import { readDotenv, replaceVariable } from './environment.ts';
import { createSettingFinder, parseSetting, type SettingSources } from './read-settings.ts';
import { rowOf } from './settings.ts';

interface StoredSettings {
  readonly settings: ChangeableSettings;
  /** Those that a change of the `.env` would not change. */
  readonly fixed: readonly FixedSetting[];
}

/** Reads the settings as the next start does. @throws {ConfigError} One cannot be read, or is not valid. */
export async function readStoredSettings(sources: SettingSources): Promise<StoredSettings> {
  const dotenv = await readDotenv(sources.directory);
  const find = await createSettingFinder({ ...sources, dotenv: dotenv ?? {} });
  const fixed: FixedSetting[] = [];
  const entries: [ChangeableSetting, unknown][] = [];
  for (const setting of changeableSettings) {
    const found = await find(setting);
    const { value, source } = parseSetting(setting, found);
    entries.push([setting, value]);
    const isUnset = found === undefined || source === 'default';
    if (isUnset ? dotenv === undefined : source !== `.env ${rowOf(setting).variable}`)
      fixed.push({ setting, source: isUnset ? 'no .env' : source });
  }
  return { settings: Object.fromEntries(entries) as unknown as ChangeableSettings, fixed };
}

/**
 * Changes settings in the `.env` of a folder: all of them, or none.
 *
 * @throws {ShelflistError} `invalid_input`: a setting comes from elsewhere, or the file cannot hold its value.
 * @throws {ConfigError} The file cannot be read or written.
 */
export async function storeSettings(sources: SettingSources, patch: SettingsPatch): Promise<void> {
  const { fixed } = await readStoredSettings(sources);
  for (const { setting, source } of fixed)
    if (setting in patch) throw refused(setting, `its value comes from ${source}; change it there`);
  const entries = Object.entries(patch) as [ChangeableSetting, unknown][];
  if (entries.length === 0) return;
  const variables = entries.map(([name]) => rowOf(name).variable).join(', ');
  await changeDotenv(sources.directory, variables, async (before) => {
    let text = before;
    for (const [name, value] of entries) text = await setValue(text, name, value);
    return text;
  });
}

/** @throws {ShelflistError} `invalid_input`: a start would read another value. */
async function setValue(dotenv: string, name: ChangeableSetting, value: unknown): Promise<string> {
  const { variable, parser } = rowOf(name);
  const text = Array.isArray(value) ? value.join(',') : String(value);
  const isSame = text.isWellFormed() && (text === '' || isDeepStrictEqual(parser.parse(text), value));
  // A shell can read the file, too: only these quotes keep it from changing the value.
  const quotes = text.includes("'") && /[$`\\"!]/.test(text) ? [] : ["'", '"'];
  const changed = isSame ? await replaceVariable(dotenv, variable, text, quotes) : undefined;
  if (changed !== undefined) return changed;
  throw refused(name, 'a .env cannot hold this value: it contains \' and one of $ ` \\ " !, or is not text');
}

function refused(name: ChangeableSetting, problem: string): ShelflistError {
  return new ShelflistError('invalid_input', { message: `${name}: ${problem}` });
}
