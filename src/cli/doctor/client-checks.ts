import { createClient, type ServiceCheck } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { programName, shellWord, type Io } from '../io.ts';
import { fileMode, isExposed } from '../private-file.ts';
import { findRenewal, loginLine, serviceUrl, sessionUser, type SessionOptions } from '../session.ts';
import { lasts, readAllTokenFiles, readTokenFiles, tokenFolder } from '../token-cache.ts';
import { note, ok, problem, type Finding } from './finding.ts';

/** A token counts as ended so much early: a clock that is further off makes it useless, or used too long. */
const clockToleranceSeconds = 30;

/** Looks at the service that commands talk to, and at what they have for it. */
export async function* checkClient(io: Io, options: SessionOptions): AsyncGenerator<Finding> {
  yield* checkTokenFiles();
  const url = serviceUrl(io, options);
  const given = io.env.SHELFLIST_TOKEN || undefined;
  const files = given === undefined ? await readTokenFiles(url, sessionUser(io, options)) : [];
  const token = given ?? files.find(({ cached }) => cached && lasts(cached))?.cached?.token;
  const client = createClient({ url, ...(token !== undefined && { token }) });
  try {
    const check = await client.check();
    yield ok('service', `${url} answers`);
    yield* checkClock(check);
    const isGood = check.accepted || (await findRenewal(io, options)) !== undefined;
    yield checkLogin(io, url, token, isGood);
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    const start = `${programName(io)} serve`;
    const other = `name the service with --url or SHELFLIST_URL`;
    yield problem('service', error.message, error.code === 'bad_response' ? other : start);
  } finally {
    client.close();
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

function checkLogin(io: Io, url: string, token: string | undefined, isGood: boolean): Finding {
  const login = loginLine(io, url);
  if (isGood) return ok('login', 'commands have a token that the service takes, or can get one');
  if (token === undefined) return note('login', 'not logged in', login);
  return problem(
    'login',
    'the service refuses the token',
    io.env.SHELFLIST_TOKEN ? `unset SHELFLIST_TOKEN && ${login}` : login,
  );
}
