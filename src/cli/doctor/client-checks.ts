import type { ServiceCheck } from '../../client/answers.ts';
import { createClient } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { isThisMachine } from '../credentials.ts';
import { programName, shellWord, type Io } from '../io.ts';
import { fileMode, isExposed } from '../private-file.ts';
import { findRenewal, loginLine, readLogin, serviceUrl, type SessionOptions } from '../login.ts';
import { readAllTokenFiles, tokenFolder } from '../token-cache.ts';
import { note, ok, problem, type Finding } from './finding.ts';

/** A token counts as ended so much early: a clock that is further off makes it useless, or used too long. */
const clockToleranceSeconds = 30;

/** Looks at the service that commands talk to, and at what they have for it. */
export async function* checkClient(io: Io, options: SessionOptions): AsyncGenerator<Finding> {
  yield* checkTokenFiles();
  try {
    const url = serviceUrl(io, options);
    const { token } = await readLogin(io, options);
    const check = await checkService(url, token);
    yield ok('service', `${url} answers`);
    yield* checkClock(check);
    const isGood = check.accepted || (await findRenewal(io, options)) !== undefined;
    yield checkLogin(io, options, token, isGood);
  } catch (error) {
    if (!(error instanceof ShelflistError) || (error.code === 'usage' && options.url)) throw error;
    yield problem('service', error.message, mendService(io, options, error));
  }
}

async function checkService(url: string, token: string | undefined): Promise<ServiceCheck> {
  const client = createClient({ url, ...(token !== undefined && { token }) });
  try {
    return await client.check();
  } finally {
    client.close();
  }
}

function mendService(io: Io, options: SessionOptions, { code }: ShelflistError): string {
  switch (code) {
    case 'usage':
    case 'bad_response':
      return 'name the right address with --url or SHELFLIST_URL';
    case 'config':
      return `${programName(io)} config show`;
    case 'not_logged_in':
      return `unset SHELFLIST_TOKEN && ${loginLine(io, serviceUrl(io, options), options)}`;
    case 'unreachable':
      return isThisMachine(serviceUrl(io, options))
        ? `${programName(io)} serve`
        : 'name the right address with --url or SHELFLIST_URL';
    default:
      return 'look at what the service says of it on its standard error';
  }
}

async function* checkTokenFiles(): AsyncGenerator<Finding> {
  const folder = await tokenFolder();
  const files = await readAllTokenFiles();
  const exposed = files.filter(({ mode }) => isExposed(mode));
  for (const { path, mode } of exposed)
    yield problem('token', `others can read ${path} (mode ${mode})`, `rm ${shellWord(path)}`);
  const mode = await fileMode(folder).catch(() => undefined);
  if (mode === undefined) return;
  if (isExposed(mode))
    yield problem('token', `others can look into ${folder} (mode ${mode})`, `chmod 700 ${shellWord(folder)}`);
  else if (exposed.length === 0) yield ok('token', `only you can read what is in ${folder}`);
}

function* checkClock({ date }: ServiceCheck): Generator<Finding> {
  if (date === undefined) return;
  const seconds = Math.round((date.getTime() - Date.now()) / 1000);
  const off = `the service's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine's`;
  yield Math.abs(seconds) <= clockToleranceSeconds
    ? ok('clock', `the service's clock and this machine's agree within ${clockToleranceSeconds} s`)
    : problem('clock', off, 'set the one that is wrong: timedatectl set-ntp true');
}

function checkLogin(io: Io, options: SessionOptions, token: string | undefined, isGood: boolean): Finding {
  const url = serviceUrl(io, options);
  const login = loginLine(io, url, options);
  if (isGood) return ok('login', 'commands have a token that the service takes, or can get one');
  if (token === undefined) return note('login', 'not logged in', login);
  return problem(
    'login',
    'the service refuses the token',
    io.env.SHELFLIST_TOKEN ? `unset SHELFLIST_TOKEN && ${login}` : login,
  );
}
