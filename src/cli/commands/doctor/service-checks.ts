import { join } from 'node:path';
import { readDotenv } from '../../../config/environment.ts';
import {
  type ServiceSettings,
  readServiceSettings,
  findSettingWarnings,
} from '../../../config/read-settings.ts';
import { minSecretBytes, rowOf, settingNames } from '../../../config/settings.ts';
import { hasCode, ShelflistError } from '../../../catalogue/errors.ts';
import { checkStoreUrl, inspectStore } from '../../../store/drivers.ts';
import { describeDamaged } from '../../database.ts';
import { type Io, programName, shellWord } from '../../io.ts';
import { fileMode, isExposed } from '../../../lib/private-file.ts';

/** Checks the service that `serve` would start here: its settings, its `.env` and its store. */
export async function* checkService(io: Io): AsyncGenerator<Finding> {
  const settings = await readSettings(io);
  yield* checkConfiguration(io, settings);
  yield* checkDotenv(io);
  yield* checkValues(io, settings);
  if (!('check' in settings)) yield* checkStore(io, settings);
}

async function readSettings(io: Io): Promise<ServiceSettings | Finding> {
  const { env, directory } = io;
  try {
    return await readServiceSettings({ env, directory, program: programName(io) });
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    const [finding = '', advice] = error.message.split('\n');
    const nothingIsSet =
      !settingNames
        .map(rowOf)
        .some(({ isRequired, variable }) => isRequired && (env[variable] || env[`${variable}_FILE`])) &&
      (await readDotenv(directory).catch(() => ({}))) === undefined;
    if (nothingIsSet)
      return note('configuration', 'no service is set up in this folder', `${programName(io)} init`);
    return problem('configuration', finding, advice ?? `${programName(io)} config show`);
  }
}

function* checkConfiguration(io: Io, settings: ServiceSettings | Finding): Generator<Finding> {
  if ('check' in settings) {
    yield settings;
    return;
  }
  const { secretToken } = settings;
  yield Buffer.byteLength(secretToken.value) >= minSecretBytes
    ? ok('configuration', 'all required settings are set')
    : problem(
        'configuration',
        `the secret is under ${minSecretBytes} bytes (${secretToken.source})`,
        `set SECRET_TOKEN to the output of: node -p "crypto.randomBytes(32).toString('hex')"`,
      );
}

async function* checkValues(io: Io, settings: ServiceSettings | Finding): AsyncGenerator<Finding> {
  const { env, directory } = io;
  const found = 'check' in settings ? undefined : settings;
  for (const { finding, fix } of await findSettingWarnings(found, {
    env,
    directory,
    program: programName(io),
  }))
    yield problem('settings', finding, fix);
}

async function* checkDotenv({ directory }: Io): AsyncGenerator<Finding> {
  const file = join(directory, '.env');
  const mode = await fileMode(file).catch(() => undefined);
  if (mode === undefined) return;
  yield isExposed(mode)
    ? problem('.env', `others can read it (mode ${mode})`, `chmod 600 ${shellWord(file)}`)
    : ok('.env', `only you can read it (mode ${mode})`);
}

async function* checkStore(io: Io, { databaseUrl }: ServiceSettings): AsyncGenerator<Finding> {
  try {
    checkStoreUrl(databaseUrl.value);
    const ids = await inspectStore(databaseUrl.value);
    if (ids === undefined) {
      yield note(
        'store',
        'it does not exist yet; the service creates it when it starts',
        `${programName(io)} serve`,
      );
      return;
    }
    const [damage] = ids.problems;
    if (damage !== undefined) {
      const others = ids.problems.length > 1 ? '; it is not the only problem' : '';
      yield problem('store', `it is damaged (${damage})${others}`, `${programName(io)} help restore`);
      return;
    }
    yield ok('store', 'it can be reached and read');
    yield ids.lastId >= ids.highestId
      ? ok('counter', `the last id was ${ids.lastId}, the highest of a book is ${ids.highestId}`)
      : problem(
          'counter',
          `the last id was ${ids.lastId}, but book ${ids.highestId} exists: books were restored beside an older counter`,
          `restart the service, which corrects it: ${programName(io)} serve`,
        );
    const damaged = describeDamaged(ids.damaged);
    if (damaged !== undefined)
      yield problem('records', damaged, `${programName(io)} delete ${ids.damaged[0]}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const finding = error instanceof TypeError ? `DATABASE_URL (${databaseUrl.source}) ${message}` : message;
    const isStore = hasCode(error, 'store_unusable');
    const isOld = message.includes('of an earlier version');
    const topic = isOld ? 'help import' : isStore ? 'help restore' : 'config show';
    yield problem('store', finding, `${programName(io)} ${topic}`);
  }
}

/** The result of a check of `doctor`. */
export interface Finding {
  check: string;
  /** `note`: not a problem, but something may be missing. */
  state: 'ok' | 'note' | 'problem';
  finding: string;
  /** The command that fixes it, or advice where no command can. */
  fix?: string;
}

export function ok(check: string, finding: string): Finding {
  return { check, state: 'ok', finding };
}

export function note(check: string, finding: string, fix: string): Finding {
  return { check, state: 'note', finding, fix };
}

export function problem(check: string, finding: string, fix: string): Finding {
  return { check, state: 'problem', finding, fix };
}
