import { codeLifetimeMs, parseLoginCode, type LoginCodes } from '../../auth/login-codes.ts';
import { parseLogin, parsePasswordChange, type Login as Credentials } from '../../auth/credentials.ts';
import type { LoginRateLimit } from '../../auth/login-rate-limit.ts';
import type { Tokens } from '../../auth/tokens.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { MaybePromise } from '../../lib/gensync.ts';
import { Semaphore, type WaitLimit } from '../../lib/semaphore.ts';
import type { User } from '../../catalogue/user.ts';
import type { LoginRequest, StorePassword } from './access.ts';
import { route, type Route } from './route.ts';
import { maxLoginBytes } from '../http/body.ts';
import { noStore } from '../http/reply.ts';

/** The maximum number of logins that are checked at once. The others wait: a check may cost much, on purpose. */
const maxChecked = 8;

/** How long a login waits for its check. Then it fails with `Retry-After`. */
const checkWait: WaitLimit = {
  maxMs: 10_000,
  reason: () =>
    new ShelflistError('unavailable', { message: 'too many logins are waiting; try again later' }),
};

/** A login that is accepted. */
export interface Accepted {
  /** The user, unless there is only one. */
  readonly user?: User;
}

/** The logins of a service. */
export interface Logins {
  /**
   * Returns the user for the token, if there are several users; `undefined` if the login is refused.
   *
   * @param disconnected Aborted when the client has gone.
   * @throws {ShelflistError} `unavailable`: there is no answer in time.
   */
  readonly authenticate: (
    request: Omit<LoginRequest, 'signal'>,
    disconnected: AbortSignal,
  ) => MaybePromise<Accepted | undefined>;
  readonly loginRateLimit: LoginRateLimit;
  readonly loginCodes: LoginCodes;
  readonly tokens: Tokens;
  /** Reports a failed login from an address. */
  readonly onFailure: (address: string) => void;
}

/**
 * `POST /token` exchanges a username and password for a token; `POST /token/renew` exchanges a token for a new one;
 * `POST /token/code` makes a code for a token, which `POST /token/exchange` gives back.
 */
export function tokenRoutes(login: Logins): Route[] {
  return [issueRoute(login), renewRoute(login.tokens), codeRoute(login), exchangeRoute(login)];
}

function issueRoute(given: Logins): Route {
  const checks = new Semaphore(maxChecked);
  return route('issueToken', {
    document: {
      tag: 'tokens',
      summary: 'Get a token',
      description: `The token lasts 15 minutes. After too many failed logins, an address must wait. The body has at most ${maxLoginBytes / 1024} KiB.`,
    },
    async handle(call) {
      const login = parseLogin(await call.readJson('login'));
      const { address } = call;
      refuse(await given.loginRateLimit.wait(address)); // An address that is blocked takes no place among the waiting.
      const check = () => accept(given, { ...login, address }, call.signal);
      const { user } = await checks.run(check, call.signal, 0, checkWait);
      return { data: { token: await given.tokens.issue(user) } };
    },
  });
}

/** Checks a login, and counts a failed one. @throws {ShelflistError} `invalid_credentials`, `too_many_attempts`, `unavailable`. */
async function accept(
  { authenticate, loginRateLimit, onFailure }: Logins,
  request: Omit<LoginRequest, 'signal'>,
  disconnected: AbortSignal,
): Promise<Accepted> {
  const { address } = request;
  refuse(await loginRateLimit.wait(address));
  let accepted: Accepted | undefined;
  try {
    accepted = await authenticate(request, disconnected);
  } finally {
    // Others may have reached the limit meanwhile: over it, an address must not learn whether a password is right.
    // A login that cannot be checked counts, too.
    refuse(await (accepted === undefined ? loginRateLimit.fail(address) : loginRateLimit.wait(address)));
  }
  if (accepted !== undefined) return accepted;
  onFailure(address);
  throw new ShelflistError('invalid_credentials');
}

/** @throws {ShelflistError} `too_many_attempts`: an address must wait. */
function refuse(seconds: number | undefined): void {
  if (seconds === undefined) return;
  throw new ShelflistError('too_many_attempts', { retryAfter: seconds });
}

function renewRoute(tokens: Tokens): Route {
  return route('renewToken', {
    isAboutToken: true,
    headers: noStore,
    document: {
      tag: 'tokens',
      summary: 'Renew a token',
      description:
        'Exchanges a valid token for one that lasts 15 minutes from now. Its claim `auth_time` remains the time of the login. ' +
        'A token cannot be renewed `SESSION_HOURS` after its login, or once the username or password has changed.',
    },
    handle: async (call) => ({ data: { token: await tokens.renew(call.token) } }),
  });
}

function codeRoute({ loginCodes }: Logins): Route {
  return route('createLoginCode', {
    isAboutToken: true,
    headers: noStore,
    document: {
      tag: 'tokens',
      summary: 'Make a code that opens the page',
      description:
        `Whoever has the code gets the token of this request, once, within ${codeLifetimeMs / 1000} seconds. ` +
        'With `#code=` and the code at its end, the address of the page opens it logged in.',
    },
    handle: async (call) => ({ data: { code: await loginCodes.create(call.token) } }),
  });
}

function exchangeRoute({ loginCodes, loginRateLimit, tokens, onFailure }: Logins): Route {
  return route('exchangeCode', {
    headers: noStore,
    document: {
      tag: 'tokens',
      summary: 'Exchange a code for its token',
      description:
        'A code that was used, is too old, or comes from another service counts as a failed login. Behind one address with ' +
        'several services, only the one that made a code accepts it.',
    },
    async handle(call) {
      const code = parseLoginCode(await call.readJson('login'));
      const { address } = call;
      refuse(await loginRateLimit.wait(address));
      const token = await loginCodes.take(code);
      if (token !== undefined && (await isValid(tokens, token))) return { data: { token } };
      refuse(await loginRateLimit.fail(address));
      onFailure(address);
      throw new ShelflistError('invalid_credentials');
    },
  });
}

/** Whether a token is still valid: it can expire after its code was made. */
async function isValid(tokens: Tokens, token: string): Promise<boolean> {
  try {
    await tokens.verify(token);
    return true;
  } catch {
    return false;
  }
}

interface Passwords extends Logins {
  /** The accepted login. Its password is replaced. */
  readonly login: Credentials;
  readonly storePassword: StorePassword;
}

/** `POST /password` replaces the password of the one accepted login. Older tokens cannot be renewed any more. */
export function passwordRoute(given: Passwords): Route {
  const { login, tokens, storePassword } = given;
  const changes = new Semaphore(1); // Of two with the same old password, the second is refused.
  return route('changePassword', {
    headers: noStore,
    document: {
      tag: 'tokens',
      summary: 'Change the password',
      description:
        'Only where the service can store it. `data` has a token of a login with the new password. Tokens of earlier logins are ' +
        'valid until they expire, and cannot be renewed. A wrong password counts as a failed login.',
    },
    async handle(call) {
      const { password, newPassword } = parsePasswordChange(await call.readJson('login'));
      const { username } = login;
      await changes.run(async () => {
        await accept(given, { username, password, address: call.address }, call.signal);
        await storePassword(newPassword, password);
        // Another process of the service may have replaced it since.
        if (login.password === password) login.password = newPassword;
      }, call.signal);
      return { data: { token: await tokens.issue() } };
    },
  });
}
