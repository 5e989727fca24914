import type { ServiceCheck } from '../../../client/client.ts';
import { connect } from '../../session/connection.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { isLoopback } from '../../../lib/network.ts';
import { programName, shellWord, type Io } from '../../io.ts';
import { fileMode, isExposed } from '../../../lib/private-file.ts';
import { findRenewal, readLogin } from '../../session/session.ts';
import { findTarget, type SessionOptions, type Target } from '../../session/target.ts';
import { readTokenFiles, tokenFolder } from '../../session/token-cache.ts';
import { note, ok, problem, type Finding } from './service-checks.ts';

/** The margin before a token expires. A clock that differs by more makes tokens expire early or late. */
const clockToleranceSeconds = 30;

/** Checks the service that commands talk to, and the login. */
export async function* checkClient(io: Io, options: SessionOptions): AsyncGenerator<Finding> {
  yield* checkTokenFiles();
  let target: Target | undefined;
  try {
    target = await findTarget(io, options);
    const { url } = target;
    const { token } = await readLogin(io, target, options);
    const check = await checkService(url, token);
    yield ok('service', `${url} answers`);
    yield* checkClock(check);
    const isGood = check.accepted || (await findRenewal(io, target, options)) !== undefined;
    yield checkLogin(io, target, token, isGood);
  } catch (error) {
    if (!(error instanceof ShelflistError) || (error.code === 'usage' && options.url)) throw error;
    yield problem('service', error.message, fixService(io, target, error));
  }
}

async function checkService(url: string, token: string | undefined): Promise<ServiceCheck> {
  const client = connect({ url, ...(token !== undefined && { token }) });
  try {
    return await client.check();
  } finally {
    client.close();
  }
}

function fixService(io: Io, target: Target | undefined, { code }: ShelflistError): string {
  switch (code) {
    case 'config':
      return `${programName(io)} config show`;
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
  const files = await readTokenFiles();
  const exposed = files.filter(({ mode }) => isExposed(mode));
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
