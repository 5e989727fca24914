import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { readTokenUser } from '../../lib/token-claims.ts';
import { clientOf, createClient, createSender } from '../../client/client.ts';
import type { TaggedBook } from '../../client/methods.ts';
import type { ClientOptions } from '../../client/options.ts';
import { storageKey } from '../texts/choice.ts';
import { asObject, createSignal, isHeaderText, readJson, writeJson } from './signal.ts';

/** Whether the service can be reached, as the last request and the browser say. */
export const isOnline = createSignal(navigator.onLine);

addEventListener('offline', () => {
  isOnline.set(false);
});
addEventListener('online', () => {
  isOnline.set(true);
});

const {
  publicRead,
  hasUsers,
  login = 'own',
  canChangePassword: canChange,
  canChangeSettings: canSet,
  canLookUp: canLook,
  name = 'shelflist',
} = document.getElementById('app')?.dataset ?? {};
const isPublic = publicRead === 'true';

/** Whether the page logs its users in; else the app around the service knows them, by cookies for example. */
export const hasOwnLogin = login === 'own';

/** Whether the service can store another password. */
export const canChangePassword = canChange === 'true';

/** Whether the settings of the service can be changed. */
export const canChangeSettings = canSet === 'true';

/** Whether the service looks books up by their ISBN. */
export const canLookUp = canLook === 'true';

/** Whether the service runs on the machine of this browser: its user has the files of the catalogue. */
export const isThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** The name of the library. */
export const catalogueName = name;

/** The login. `expired`: the service refused the token of somebody whose work waits for the next login. */
export type Session = 'out' | 'in' | 'expired';

/** Tokens are renewed this often, also when nobody uses the page: they last 15 minutes. */
const renewalMs = 5 * 60_000;
/** The interval at which this is checked: timers do not run while a machine sleeps. */
const renewalCheckMs = 60_000;
/** A request may wait behind a large one. Leaving the view ends it. */
const timeoutMs = 10 * 60_000;

const service: ClientOptions = {
  url: new URL('./', document.baseURI).href,
  timeoutMs,
  async fetch(url, init) {
    try {
      const response = await fetch(url, init);
      isOnline.set(true);
      return response;
    } catch (error) {
      if (init.signal?.aborted !== true) isOnline.set(false);
      throw error;
    }
  },
};

const key = 'session';
const { token: kept } = asObject(readJson(key));
/** Stays in memory and in `sessionStorage`: it ends with the last tab. */
let token = hasOwnLogin && isHeaderText(kept) ? kept : undefined;
let isAgain = token !== undefined;
/** Whether the reader came by a link whose code was used or has expired, and has not logged in since. */
let hasOldLink = false;
const linked = await exchangeCode();
/** The token of a link, while the reader is asked whether to log in as its user. */
export const offered = createSignal<{ readonly token: string; readonly user: string } | undefined>(
  linked === undefined || isOwn(linked) ? undefined : { token: linked, user: nameOf(linked) },
);
if (linked !== undefined && offered.value === undefined) hold(linked); // The kept token may have expired.
/** The tokens that the service has refused since the last login here: other tabs may still have them. */
const refused = new Set<string>();
/** Resumes the requests that wait for a login. */
let resume: (token: string | undefined) => void = () => undefined;

export const session = createSignal<Session>(token !== undefined || login === 'app' ? 'in' : 'out');

/** The other tabs of this catalogue: all have one login, from the first that logs in to a logout. */
const tabs = new BroadcastChannel(storageKey(key));
tabs.addEventListener('message', ({ data }) => {
  if (!hasOwnLogin) return;
  const { asks, token: given } = asObject(data);
  if (asks === true && session.value === 'in') tabs.postMessage({ token });
  if (given === null && session.value !== 'out') endSession();
  if (isHeaderText(given)) takeLogin(given);
});
if (linked !== undefined && token === linked) tabs.postMessage({ token }); // Their tokens may have expired.
if (hasOwnLogin && token === undefined && offered.value === undefined) tabs.postMessage({ asks: true });

/** Takes over the login of another tab. */
function takeLogin(given: string): void {
  const before = session.value;
  if (before === 'in' || refused.has(given)) return;
  hold(given);
  if (before === 'expired') {
    session.set('in');
    resume(given);
  } else if (asObject(readJson(key)).token === given) location.reload(); // Nobody has typed anything yet.
}

/** The token of the login, for requests that the client does not send. */
export function currentToken(): string | undefined {
  return token;
}

/** The client of the service that the page comes from. When the service refuses its token, requests wait for a login. */
const sender = createSender(
  hasOwnLogin ? { ...service, token, onUnauthorized: waitForLogin, onRenewed: hold } : service,
);
export const client = clientOf(sender);
/** Sends a request as the client does. */
export const { send } = sender;

/** A client for the stream of changes. Nobody is asked to log in for it: an idle page stays as it is. */
export const watcher = createClient({ ...service, token: () => token });

/**
 * Exchanges the code in the fragment of the address, which no request sends, for a token. The code leaves the address at once:
 * `shelflist open` and the starter put it there. `undefined` without one, or if it gives no token.
 */
async function exchangeCode(): Promise<string | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!hasOwnLogin) return undefined;
  try {
    return await createClient(service).exchangeCode(code);
  } catch (error) {
    hasOldLink = hasCode(error, 'invalid_credentials', 'invalid_token');
    return undefined;
  }
}

/**
 * Whether a token belongs to the reader, even if nobody is logged in. With several users, anybody could make a link that
 * logs others in as its author, who then sees what they do.
 */
function isOwn(given: string): boolean {
  if (hasUsers !== 'true') return true;
  const user = readTokenUser(given);
  return user !== undefined && token !== undefined && readTokenUser(token) === user;
}

/** The user of a token, to show. Without one, it is that of the only login of the service. */
function nameOf(given: string): string {
  const user = readTokenUser(given);
  return typeof user === 'string' ? user : catalogueName;
}

/** Logs in as the user of the link, in this tab. The reload drops what another user had opened here. */
export function acceptLink(): void {
  hold(offered.value?.token);
  location.reload();
}

/** Leaves the login as it was. */
export function refuseLink(): void {
  offered.set(undefined);
  if (token === undefined) tabs.postMessage({ asks: true });
}

/** Whether to tell the reader that the link has expired. */
export function cameByOldLink(): boolean {
  return hasOldLink;
}

function hold(next: string | undefined): void {
  token = next;
  if (next !== undefined) {
    isAgain = true;
    hasOldLink = false;
  }
  writeJson(key, next && { token });
}

async function waitForLogin(): Promise<string | undefined> {
  if (session.value === 'out') return undefined;
  if (token !== undefined) refused.add(token);
  hold(undefined);
  session.set('expired');
  tabs.postMessage({ asks: true }); // Another tab may have logged in again.
  return new Promise((resolve) => {
    resume = resolve;
  });
}

/** @throws {ShelflistError} `invalid_credentials`, `too_many_attempts` or another. */
export async function logIn(username: string, password: string): Promise<void> {
  hold(await client.login(username, password));
  refused.clear();
  session.set('in');
  resume(token);
  tabs.postMessage({ token });
}

/** @throws {ShelflistError} `invalid_credentials`, `too_many_attempts`, `invalid_payload` or another. */
export async function changePassword(password: string, newPassword: string): Promise<void> {
  hold(await client.changePassword(password, newPassword));
}

/** Forgets the token, in all tabs. What waits for a login fails. */
export function logOut(): void {
  endSession();
  tabs.postMessage({ token: null });
}

function endSession(): void {
  client.logout();
  hold(undefined);
  refused.clear();
  isAgain = false;
  session.set('out');
  resume(undefined);
}

/** Whether this page had a login before; a reader of a public catalogue may not have had one. */
export function hadLogin(): boolean {
  return isAgain;
}

/** Opens the dialog for a login. */
export function askForLogin(): void {
  session.set('expired');
}

/** Keeps the session while the page is open. */
export function keepRenewing(): void {
  if (!hasOwnLogin) return;
  let renewedAt = -Infinity; // Before a reload, the token may have been used for most of its time.
  const look = () => {
    if (session.value !== 'in' || Math.abs(Date.now() - renewedAt) < renewalMs) return;
    renewedAt = Date.now();
    client.renew().catch((error: unknown) => {
      if (hasCode(error, 'unreachable', 'timeout')) renewedAt = -Infinity; // The next request shows a refusal.
    });
  };
  look();
  setInterval(look, renewalCheckMs);
  document.addEventListener('visibilitychange', look);
}

/** The rights of the user. An expired login hides nothing: the page asks for another one. */
export function accessOf(current: Session): { readonly canRead: boolean; readonly canWrite: boolean } {
  const canWrite = current !== 'out';
  return { canRead: canWrite || isPublic, canWrite };
}

/** Reads a book. Behind a proxy that drops its tag or makes it weak, this works, but changes fail. */
export async function readBook(id: number, signal?: AbortSignal): Promise<TaggedBook> {
  try {
    return await client.getTagged(id, { signal });
  } catch (error) {
    if (asServiceError(error).code !== 'bad_response') throw error;
    return { book: await client.get(id, { signal }), tag: 'W/""' };
  }
}

/** Whether the page itself has aborted the request. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The error of a request. @throws Any other error: a bug of the page. */
export function asServiceError(error: unknown): ShelflistError {
  if (error instanceof ShelflistError) return error;
  throw error;
}
