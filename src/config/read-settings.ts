import { ConfigError } from './config-error.ts';
import { join } from 'node:path';
import { isShortPassword, minPasswordLength } from '../catalogue/limits.ts';
import { isWithinOneEdit } from '../catalogue/duplicates.ts';
import {
  clientVariables,
  flagName,
  rowOf,
  settingNames,
  type SettingName,
  type SettingValues,
} from './settings.ts';
import {
  findVariable,
  parseDotenv,
  readDotenv,
  readDotenvText,
  type Environment,
  type Setting,
  findCutVariables,
  findIgnoredLines,
  findMisreadVariables,
} from './environment.ts';
import { isLoopback } from '../lib/network.ts';

/** The settings that a service starts with, each with its source. */
export type ServiceSettings = { [Name in SettingName]: Setting<SettingValues[Name]> };

/** Where settings are looked up. The first source that has a value wins: flag, environment, `.env`, default. */
export interface SettingSources {
  flags?: Partial<Record<SettingName, string | undefined>>;
  env: Environment;
  /** The folder of the `.env`. Relative `_FILE` paths start there too. */
  directory: string;
  /** The variables of a `.env` that is not written yet. */
  dotenv?: Environment;
  /** The command that runs this program, for advice. Default `shelflist`. */
  program?: string;
}

/** Finds the unchecked text of a setting; `undefined` when it is not set and has no default. */
type FindSetting = (name: SettingName) => Promise<Setting<string> | undefined>;

/**
 * Reads the `.env` once. The returned function throws `config` when a variable is set twice, or names a file that
 * cannot be read.
 *
 * @throws {ConfigError} The `.env` cannot be read.
 */
export async function createSettingFinder({
  flags = {},
  env,
  directory,
  dotenv: draft,
}: SettingSources): Promise<FindSetting> {
  const dotenv = draft ?? (await readDotenv(directory)) ?? {};
  return async (name) => {
    const flag = flags[name];
    if (flag) return { value: flag, source: `flag ${flagName(name)}` };
    const { variable, default: value } = rowOf(name);
    return (
      (await findVariable(variable, env, 'environment', directory)) ??
      (await findVariable(variable, dotenv, '.env', directory)) ??
      (value ? { value, source: 'default' } : undefined)
    );
  };
}

/**
 * Reads and checks every setting.
 *
 * @throws {ConfigError} Which setting is missing or invalid, its source, and what to do. Never its value.
 */
export async function readServiceSettings(sources: SettingSources): Promise<ServiceSettings> {
  const find = await createSettingFinder(sources);
  const found = new Map<SettingName, Setting<string> | undefined>();
  for (const name of settingNames) found.set(name, await find(name));
  const missing = settingNames.filter((name) => rowOf(name).isRequired && found.get(name) === undefined);
  if (missing.length > 0) throw await missingSettings(missing, sources);
  const entries = settingNames.map((name) => [name, parseSetting(name, found.get(name))]);
  return Object.fromEntries(entries) as ServiceSettings;
}

/** Checks the text of a setting. @throws {ConfigError} Never with its value. */
export function parseSetting(name: SettingName, found: Setting<string> | undefined): Setting<unknown> {
  const { variable, parser, default: fallback } = rowOf(name);
  const { value: text, source } = found ?? { value: fallback, source: 'not set' };
  if (text === undefined) return { value: undefined, source };
  const value = parser.parse(text);
  if (value === undefined) throw new ConfigError(`${variable} (${source}) is not ${parser.expected}`);
  return { value, source };
}

async function missingSettings(names: readonly SettingName[], sources: SettingSources) {
  const { directory, program } = sources;
  const [verb, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const required = names.map((name) => rowOf(name).variable);
  const variables = new Intl.ListFormat('en').format(required);
  const dotenv = await readDotenv(directory);
  const misspelt = findMisspeltOf(required, sources.env, dotenv);
  if (misspelt !== undefined)
    return new ConfigError(
      `${variables} ${verb} not set.\nRename ${misspelt.name} (${misspelt.place}) to ${misspelt.meant}.`,
    );
  const advice =
    dotenv === undefined
      ? `Run \`${program ?? 'shelflist'} init\` to write ${them} to a new .env file here`
      : `Add ${them} to ${join(directory, '.env')}`; // `init` never overwrites a file.
  return new ConfigError(`${variables} ${verb} not set.\n${advice}, or set ${them} in the environment.`);
}

/** A variable that was meant as one of these, but is misspelt. */
export function findMisspeltOf(
  variables: readonly string[],
  env: Environment,
  dotenv: Environment | undefined,
): Misspelt | undefined {
  return findMisspelt(env, dotenv).find(({ meant }) => variables.includes(meant.replace(/_FILE$/, '')));
}

/** The variables of the service and of the client. */
const knownVariables: readonly string[] = [
  ...settingNames.map(rowOf),
  ...Object.values(clientVariables),
].flatMap(({ variable }) => [variable, `${variable}_FILE`]);

/** Names that are one edit away from a setting, and are those of other programs. */
const otherVariables = ['PAGER'];

interface Misspelt {
  readonly name: string;
  readonly place: 'environment' | '.env';
  /** The variable that was probably meant. */
  readonly meant: string;
}

/** Finds variables that are no settings, but one typing error away from one. */
function findMisspelt(env: Environment, dotenv: Environment = {}): Misspelt[] {
  const findIn = (place: Misspelt['place'], variables: Environment) =>
    Object.keys(variables).flatMap((name) => {
      if (!variables[name] || [...knownVariables, ...otherVariables].includes(name)) return [];
      const meant = knownVariables.find((known) => isWithinOneEdit(name, known));
      return meant === undefined ? [] : [{ name, place, meant }];
    });
  return [...findIn('environment', env), ...findIn('.env', dotenv)];
}

/** A valid setting that is probably not meant, and what to do about it. */
interface SettingWarning {
  readonly finding: string;
  readonly fix: string;
}

/**
 * Finds settings that are valid, but probably not meant, and misspelt ones. Reports nothing about an unreadable `.env`: it prevents a start.
 *
 * @param settings `undefined` if they are not valid.
 */
export async function findSettingWarnings(
  settings: ServiceSettings | undefined,
  sources: SettingSources,
): Promise<SettingWarning[]> {
  const text = (await readDotenvText(sources.directory).catch(() => undefined)) ?? '';
  const misspelt = findMisspelt(sources.env, await parseDotenv(text).catch(() => ({})));
  return [
    ...findIgnoredLines(text).map((line) => ({
      finding: `line ${line} of .env is ignored: it is not NAME=value`,
      fix: 'correct it, or begin it with #',
    })),
    ...misspelt.map(({ name, place, meant }) => ({
      finding: `${name} (${place}) is not a setting`,
      fix: `rename it to ${meant}`,
    })),
    ...(settings === undefined ? [] : findDoubtful(settings, text, sources)),
  ];
}

function findDoubtful(
  settings: ServiceSettings,
  dotenv: string,
  { program = 'shelflist' }: SettingSources,
): SettingWarning[] {
  const cut = findCutVariables(dotenv)
    .filter((name) => knownVariables.includes(name))
    .map((name) => ({
      finding: `the value of ${name} in .env ends before its #`,
      fix: `write it in quotes: ${name}='…'`,
    }));
  const misread = findMisreadVariables(dotenv).filter(({ name }) => knownVariables.includes(name));
  const strange = Object.values(settings)
    .filter(({ value }) => typeof value === 'string' && value.includes('\ufffd'))
    .map(({ source }) => ({
      finding: `the value of ${source} has characters that are not UTF-8`,
      fix: 'save its file as UTF-8',
    }));
  const found = [...cut, ...misread, ...strange];
  const { authPassword, host } = settings;
  const isShort = isShortPassword(authPassword.value) && !isLoopback(host.value);
  const finding = `the password has fewer than ${minPasswordLength} characters (${authPassword.source}), and other machines may reach HOST ${host.value}`;
  const fix = authPassword.source === '.env AUTH_PASSWORD' ? `${program} passwd` : 'choose a longer one';
  return isShort ? [...found, { finding, fix }] : found;
}
