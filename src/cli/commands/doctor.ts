import type { Command } from 'commander';
import { hasCode } from '../../catalogue/errors.ts';
import { CommandError, isFailure, type Failure } from '../command-error.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import {
  counted,
  plain,
  type Io,
  createPaint,
  write,
  programName,
  shellWord,
  withProgramName,
} from '../io.ts';
import { writeRecords, type OutputOptions } from '../ui/records.ts';
import { type SessionOptions, findTarget, type Target } from '../session/target.ts';
import { join } from 'node:path';
import { readDotenv, type Setting } from '../../config/environment.ts';
import {
  createSettingFinder,
  type ServiceSettings,
  readServiceSettings,
  findSettingWarnings,
} from '../../config/read-settings.ts';
import { minSecretBytes, rowOf, settingNames } from '../../config/settings.ts';
import { checkStoreUrl, inspectStore } from '../../store/drivers.ts';
import { describeDamaged } from '../database.ts';
import { fileMode, isExposed } from '../../lib/atomic-file.ts';
import type { ServiceCheck } from '../../client/client.ts';
import type { FileSystem } from '../../lib/file-system.ts';
import { describeNetwork } from '../../store/contract/driver.ts';
import { connect } from '../session/connection.ts';
import { findCredentials, logIn } from '../session/credentials.ts';
import { isLoopback, isPlaceTaken } from '../../lib/network.ts';
import { findRenewal, readLogin } from '../session/session.ts';
import { readTokenFiles, tokenFolder } from '../session/token-cache.ts';

const help = `
Checks the settings, the store and the disk of a service in this folder; the
service that commands talk to, its clock, the password and the login; and who can
read .env and the tokens.
Nothing is changed. The exit status is 1 if there is a problem.

Examples:
  $ shelflist doctor
  $ shelflist doctor --url https://books.example.org --username ada
  $ shelflist doctor --json | jq -r '.[] | select(.state == "problem").fix'
  $ shelflist doctor --format csv`;

type DoctorOptions = SessionOptions & OutputOptions;

export function defineDoctor(command: Command, io: Io): void {
  addFormatOptions(
    addServiceOptions(command),
    columns.map(({ name }) => name),
  )
    .addHelpText('after', help)
    .action((options: DoctorOptions) => examine(io, options));
}

const columns = [{ name: 'check' }, { name: 'state' }, { name: 'finding' }, { name: 'fix' }] as const;

async function examine(io: Io, options: DoctorOptions): Promise<void> {
  const forPerson = io.stdout.isTTY && !options.json && options.format === undefined;
  const describe = createDescription(io);
  const findings: Finding[] = [];
  for (const checks of [checkService(io), checkClient(io, options)]) {
    for await (const found of checks) {
      const finding = { ...found, finding: withProgramName(io, found.finding) };
      findings.push(finding);
      if (forPerson) await write(io, describe(finding)); // Not at the end: the next check may take a while.
    }
  }
  if (!forPerson) await writeRecords(io, columns, findings, options);
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (problems === 0) return;
  throw new CommandError('failed', {
    message: `${counted(problems, 'problem')}; see the fix for each above`,
  });
}

/** Formats a finding for a terminal, where a table would truncate the commands. */
function createDescription(io: Io): (finding: Finding) => string {
  const paint = createPaint(io);
  const labels = {
    ok: paint('green', 'ok'),
    note: paint('yellow', 'note'),
    problem: paint('red', 'problem'),
  };
  return ({ check, state, finding, fix }) => {
    const advice = fix === undefined ? '' : `    fix: ${paint('bold', plain(fix))}\n`;
    return `${labels[state]}  ${check}: ${plain(finding)}\n${advice}`;
  };
}

/** Checks the service that `serve` would start here: its settings, its `.env` and its store. */
async function* checkService(io: Io): AsyncGenerator<Finding> {
  const settings = await readSettings(io);
  yield* checkConfiguration(io, settings);
  yield* checkDotenv(io);
  yield* checkValues(io, settings);
  if ('check' in settings) {
    const databaseUrl = await findNamedStore(io);
    if (databaseUrl !== undefined) yield* checkStore(io, databaseUrl);
  } else yield* checkStore(io, settings.databaseUrl, settings);
}

/** Finds `DATABASE_URL`, if it is set: a store can be checked without the other settings of its service. */
async function findNamedStore({ env, directory }: Io): Promise<Setting<string> | undefined> {
  const find = await createSettingFinder({ env, directory }).catch(() => undefined);
  const found = await find?.('databaseUrl').catch(() => undefined);
  return found?.source === 'default' ? undefined : found;
}

async function readSettings(io: Io): Promise<ServiceSettings | Finding> {
  const { env, directory } = io;
  try {
    return await readServiceSettings({ env, directory, program: programName(io) });
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { finding, fix } = splitAdvice(error.message);
    const nothingIsSet =
      !settingNames
        .map(rowOf)
        .some(({ isRequired, variable }) => isRequired && (env[variable] || env[`${variable}_FILE`])) &&
      (await readDotenv(directory).catch(() => ({}))) === undefined;
    if (nothingIsSet)
      return note('configuration', 'no service is set up in this folder', `${programName(io)} init`);
    const [, name, expected] = /^(\w+) \(.+?\) is not (.+)$/.exec(finding) ?? [];
    const correction =
      name === undefined ? `${programName(io)} config show` : `set ${name} to ${expected ?? ''}`;
    return problem('configuration', finding, fix ?? correction);
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

/** @param service The settings of its service, if all are valid. */
async function* checkStore(
  io: Io,
  databaseUrl: Setting<string>,
  service?: ServiceSettings,
): AsyncGenerator<Finding> {
  try {
    checkStoreUrl(databaseUrl.value);
    const ids = await inspectStore(databaseUrl.value);
    if (ids === undefined) {
      yield await describeMissing(io, databaseUrl.value.startsWith('file:') ? service : undefined);
      return;
    }
    const [damage] = ids.problems;
    if (damage !== undefined) {
      const others = ids.problems.length > 1 ? '; there are other problems' : '';
      yield problem('store', `it is damaged (${damage})${others}`, `${programName(io)} help restore`);
      return;
    }
    const { obstacles = [] } = ids;
    if (obstacles.length === 0) yield ok('store', 'it can be reached and read');
    for (const { finding, fix } of obstacles) yield problem('store', finding, fix);
    if (ids.disk !== undefined) yield* checkDisk(ids.disk);
    yield ids.lastId >= ids.highestId
      ? ok('counter', `the last id was ${ids.lastId}, the highest of a book is ${ids.highestId}`)
      : problem(
          'counter',
          `the last id was ${ids.lastId}, but book ${ids.highestId} exists: books were restored beside an older counter`,
          `restart the service, which corrects it: ${programName(io)} serve`,
        );
    if (ids.clockProblem !== undefined)
      yield problem('clock', ids.clockProblem, 'set the clock: timedatectl');
    const damaged = describeDamaged(ids.damaged);
    if (damaged !== undefined)
      yield problem('records', damaged, `${programName(io)} delete ${ids.damaged.join(' ')}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    yield error instanceof TypeError
      ? problem('store', `DATABASE_URL (${databaseUrl.source}) ${message}`, 'correct DATABASE_URL')
      : { check: 'store', state: 'problem', ...splitAdvice(message) };
  }
}

/** Splits an error into what failed and what to do, if it says so. */
function splitAdvice(message: string): Pick<Finding, 'finding' | 'fix'> {
  const [, finding = message, fix] = /^(.*)(?:\n|; )(.+)$/.exec(message) ?? [];
  return { finding, ...(fix !== undefined && { fix }) };
}

/** @param service The settings of its service, if it would have the folder open. */
async function describeMissing(io: Io, service: ServiceSettings | undefined): Promise<Finding> {
  if (service !== undefined) {
    const { host, port, socket } = service;
    if (await isPlaceTaken(host.value, port.value, socket.value))
      return problem(
        'store',
        `it does not exist, but a program listens on ${socket.value ?? `port ${port.value}`}: if that is its service, somebody has moved its folder away`,
        'move the folder back; to begin a new store, restart the service',
      );
  }
  return note(
    'store',
    'it does not exist yet; the service creates it when it starts',
    `${programName(io)} serve`,
  );
}

/** One large import, or one copy of the store, can use more than is left below this. */
const minFreeBytes = 100_000_000;
/** SQLite needs more for a write and its log. */
const fullBytes = 1_000_000;

function* checkDisk({ freeBytes, network }: FileSystem): Generator<Finding> {
  const free = `${Math.floor(freeBytes / 1_000_000).toLocaleString('en')} MB`;
  yield freeBytes >= minFreeBytes
    ? ok('disk', `${free} are free`)
    : problem(
        'disk',
        freeBytes < fullBytes
          ? 'it is full: nothing can be written'
          : `only ${free} are free; writes fail when it is full`,
        'make room, or move the store to a larger disk',
      );
  if (network !== undefined)
    yield problem('disk', describeNetwork(network), 'move the store to a disk of this machine');
}

/** The result of a check of `doctor`. */
export interface Finding {
  check: string;
  /** `note`: not a problem, but something may be missing. */
  state: 'ok' | 'note' | 'problem';
  finding: string;
  /** The command that fixes it, or advice where no command can; missing where there is neither. */
  fix?: string;
}

function ok(check: string, finding: string): Finding {
  return { check, state: 'ok', finding };
}

function note(check: string, finding: string, fix: string): Finding {
  return { check, state: 'note', finding, fix };
}

function problem(check: string, finding: string, fix: string): Finding {
  return { check, state: 'problem', finding, fix };
}

/** The margin before a token expires. A clock that differs by more makes tokens expire early or late. */
const clockToleranceSeconds = 30;

/** Checks the service that commands talk to, and the login. */
async function* checkClient(io: Io, options: SessionOptions): AsyncGenerator<Finding> {
  yield* checkTokenFiles();
  let target: Target | undefined;
  try {
    target = await findTarget(io, options);
    const { url } = target;
    const { token } = await readLogin(io, target, options);
    const check = await ask(io, url, token);
    yield ok('service', `${url} answers`);
    yield* checkClock(check);
    const password = await checkPassword(io, target, options);
    if (password !== undefined) yield password;
    const canLogIn = password === undefined && (await findRenewal(io, target, options)) !== undefined;
    yield checkLogin(io, target, token, check.accepted || canLogIn);
  } catch (error) {
    if (!isFailure(error) || (error.code === 'usage' && options.url)) throw error;
    yield error.code === 'config'
      ? { check: 'service', state: 'problem', ...splitAdvice(error.message) }
      : problem('service', error.message, fixService(io, target, error));
  }
}

async function ask({ env }: Io, url: string, token: string | undefined): Promise<ServiceCheck> {
  const client = connect({ url, ...(token !== undefined && { token }) }, env);
  try {
    return await client.check();
  } finally {
    client.close();
  }
}

/** Logs in with the credentials found for the service, if any. Discards the token. */
async function checkPassword(io: Io, target: Target, options: SessionOptions): Promise<Finding | undefined> {
  const credentials = await findCredentials(io, target, options);
  if (credentials === undefined) return undefined;
  const client = connect({ url: target.url }, io.env);
  try {
    await logIn(client, target.url, credentials);
    return undefined;
  } catch (error) {
    if (hasCode(error, 'invalid_credentials'))
      return problem('password', error.message, 'restart the service, or correct the password');
    if (hasCode(error, 'too_many_attempts'))
      return note(
        'password',
        'not checked: there were too many failed logins',
        'wait a few seconds, and run it again',
      );
    throw error;
  } finally {
    client.close();
  }
}

function fixService(io: Io, target: Target | undefined, { code }: Failure): string {
  switch (code) {
    case 'not_logged_in':
      return `unset SHELFLIST_TOKEN && ${target?.loginLine ?? `${programName(io)} login`}`;
    case 'usage':
    case 'bad_response':
    case 'unreachable':
      return code === 'unreachable' && target !== undefined && isLoopback(new URL(target.url).hostname)
        ? `${programName(io)} serve`
        : 'name the right address with --url or SHELFLIST_URL';
    default:
      return 'see the log of the service, on its standard error';
  }
}

async function* checkTokenFiles(): AsyncGenerator<Finding> {
  const folder = tokenFolder();
  const files = await readTokenFiles().catch((error: unknown) => error as Error);
  if (files instanceof Error) {
    yield { check: 'token', state: 'problem', ...splitAdvice(files.message) };
    return;
  }
  for (const { path, problem: reason } of files)
    if (reason !== undefined)
      yield problem('token', `cannot read ${path} (${reason})`, `rm ${shellWord(path)}`);
  const exposed = files.filter(({ mode, problem: reason }) => reason === undefined && isExposed(mode));
  for (const { path, mode } of exposed)
    yield problem('token', `others can read ${path} (mode ${mode})`, `rm ${shellWord(path)}`);
  const mode = await fileMode(folder).catch(() => undefined);
  if (mode === undefined) return;
  if (isExposed(mode))
    yield problem('token', `others can open ${folder} (mode ${mode})`, `chmod 700 ${shellWord(folder)}`);
  else if (exposed.length === 0) yield ok('token', `only you can read what is in ${folder}`);
}

function* checkClock({ date }: ServiceCheck): Generator<Finding> {
  if (date === undefined) return;
  const seconds = Math.round((date.getTime() - Date.now()) / 1000);
  const off = `the service's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine's`;
  yield Math.abs(seconds) <= clockToleranceSeconds
    ? ok(
        'clock',
        `the clocks of the service and of this machine differ by at most ${clockToleranceSeconds} s`,
      )
    : problem('clock', off, 'correct the wrong clock: timedatectl set-ntp true');
}

function checkLogin(
  io: Io,
  { loginLine: login }: Target,
  token: string | undefined,
  isGood: boolean,
): Finding {
  if (isGood) return ok('login', 'commands have a token that the service accepts, or can get one');
  if (token === undefined) return note('login', 'not logged in', login);
  return problem(
    'login',
    'the service refuses the token',
    io.env.SHELFLIST_TOKEN ? `unset SHELFLIST_TOKEN && ${login}` : login,
  );
}
