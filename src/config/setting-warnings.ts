import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../lib/network.ts';
import { findCutVariables } from './dotenv-text.ts';
import { findMisspelt, knownVariables, type ServiceSettings, type SettingSources } from './read-settings.ts';

/** A valid setting that is probably not meant, and what to do about it. */
export interface SettingWarning {
  readonly finding: string;
  readonly fix: string;
}

/** A shorter password is soon guessed where strangers may try, in spite of the limit of failed logins. */
const minPasswordLength = 8;

/**
 * Finds settings that are valid, but probably not meant, and misspelt ones.
 *
 * @param settings `undefined` if they are not valid.
 */
export async function findSettingWarnings(
  settings: ServiceSettings | undefined,
  sources: SettingSources,
): Promise<SettingWarning[]> {
  const misspelt = await findMisspelt(sources);
  return [
    ...misspelt.map(({ name, place, meant }) => ({
      finding: `${name} (${place}) is not a setting`,
      fix: `rename it to ${meant}`,
    })),
    ...(settings === undefined ? [] : await findDoubtful(settings, sources)),
  ];
}

async function findDoubtful(
  { authPassword, host }: ServiceSettings,
  { directory, program = 'shelflist' }: SettingSources,
): Promise<SettingWarning[]> {
  const text = await readFile(join(directory, '.env'), 'utf8').catch(() => '');
  const cut = findCutVariables(text)
    .filter((name) => knownVariables.includes(name))
    .map((name) => ({
      finding: `the value of ${name} in .env ends before its #`,
      fix: `write it in quotes: ${name}='…'`,
    }));
  const isShort = Array.from(authPassword.value).length < minPasswordLength && !isLoopback(host.value);
  const finding = `the password has fewer than ${minPasswordLength} characters (${authPassword.source}), and other machines may reach HOST ${host.value}`;
  const fix = authPassword.source === '.env AUTH_PASSWORD' ? `${program} passwd` : 'choose a longer one';
  return isShort ? [...cut, { finding, fix }] : cut;
}
