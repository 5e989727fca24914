import { dirname, join } from 'node:path';
import { readPrivateFile, replacePrivateFile } from './private-file.ts';
import { tokenFolder } from './token-cache.ts';

/** Addresses by place: a folder whose `.env` describes a service, or `''` for all other folders. */
type Choices = Readonly<Record<string, string>>;

/** The address that `shelflist use` or `login --url` chose for a place; `undefined` if there is none. */
export async function readChosenService(place: string): Promise<string | undefined> {
  const choices = await readChoices();
  return Object.hasOwn(choices, place) ? choices[place] : undefined;
}

/** Stores the choice for a place, or forgets it. It is private: a user who changes it decides where books are sent. */
export async function keepChosenService(place: string, url: string | undefined): Promise<void> {
  const { [place]: before, ...others } = await readChoices();
  if (before === url) return;
  const choices: Choices = url === undefined ? others : { ...others, [place]: url };
  await replacePrivateFile(await choicesFile(), `${JSON.stringify(choices)}\n`);
}

async function choicesFile(): Promise<string> {
  return join(dirname(await tokenFolder()), 'chosen-services.json');
}

async function readChoices(): Promise<Choices> {
  try {
    const file = await readPrivateFile(await choicesFile());
    const value: unknown = JSON.parse(file?.text ?? '{}');
    const entries = Object.entries(value as object).filter(([, url]) => typeof url === 'string');
    return Object.fromEntries(entries);
  } catch {
    return {}; // Damaged: as if nothing was chosen.
  }
}
