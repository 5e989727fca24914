import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../lib/url-parts.ts';
import { clientVariables } from './client-variables.ts';
import { findCutVariables } from './dotenv-text.ts';
import type { ServiceSettings } from './read-settings.ts';
import { rowOf, settingNames } from './settings.ts';

/** A valid setting that is probably not meant, and what to do about it. */
export interface SettingWarning {
  readonly finding: string;
  readonly fix: string;
}

/** A shorter password is soon guessed where strangers may try, in spite of the limit of failed logins. */
const minPasswordLength = 8;

/** Finds settings that are valid, but probably not meant. `directory` is the folder of the `.env`, `program` what a user types to run this program. */
export async function findSettingWarnings(
  { authPassword, host }: ServiceSettings,
  directory: string,
  program: string,
): Promise<SettingWarning[]> {
  const text = await readFile(join(directory, '.env'), 'utf8').catch(() => '');
  const rows = [...settingNames.map(rowOf), ...Object.values(clientVariables)];
  const known = rows.flatMap(({ variable }) => [variable, `${variable}_FILE`]);
  const cut = findCutVariables(text)
    .filter((name) => known.includes(name))
    .map((name) => ({
      finding: `the value of ${name} in .env ends before its #`,
      fix: `write it in quotes: ${name}='…'`,
    }));
  const isShort = Array.from(authPassword.value).length < minPasswordLength && !isLoopback(host.value);
  const finding = `the password has fewer than ${minPasswordLength} characters (${authPassword.source}), and other machines may reach HOST ${host.value}`;
  const fix = authPassword.source === '.env AUTH_PASSWORD' ? `${program} passwd` : 'choose a longer one';
  return isShort ? [...cut, { finding, fix }] : cut;
}
