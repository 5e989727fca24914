import { ApiError } from './api-error.ts';
import { open, read } from './transport.ts';
import { holdToken, session } from './session.ts';
import { readTokenTimes } from './token-times.ts';

/** A token is renewed after this part of its lifetime: of 15 minutes, after 5. */
const part = 1 / 3;
/** The pause after a renewal that failed, in milliseconds. */
const retryMs = 10_000;
/** The longest pause before the time is read again: a clock may be set. */
const longestMs = 60_000;

let renewal: Promise<void> | undefined;
let notBefore = 0;
/** The token that the service refuses to renew. */
let refused: string | undefined;

/** The token, renewed if that is due. If the renewal fails, it is still the old one. */
export async function freshToken(): Promise<string | undefined> {
  if (untilDue() <= 0) await renew();
  return session.value.token;
}

/** The time until the token is renewed, in milliseconds; `Infinity` if it cannot be. */
function untilDue(): number {
  const { token, receivedAt = 0 } = session.value;
  const times = token === undefined ? undefined : readTokenTimes(token);
  if (times === undefined || token === refused) return Infinity;
  return Math.max(receivedAt + times.lifetimeMs * part, notBefore) - Date.now();
}

/** Requests that come at the same time share one renewal. */
function renew(): Promise<void> {
  renewal ??= exchange().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function exchange(): Promise<void> {
  const { token } = session.value;
  try {
    const { data } = await read(await open('token/renew', { method: 'POST' }, token));
    if (session.value.token === token) holdToken((data as { token: string }).token);
  } catch (error) {
    // A refused token shows in the next request.
    if (error instanceof ApiError && error.status === 401) refused = token;
    else notBefore = Date.now() + retryMs;
  }
}

/** Renews the token while the page is open, also when nobody uses it. */
export function keepRenewing(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    clearTimeout(timer);
    const delay = untilDue();
    if (delay === Infinity) return;
    timer = setTimeout(() => void freshToken().then(plan), Math.min(Math.max(delay, 1000), longestMs));
  };
  session.subscribe(plan);
  document.addEventListener('visibilitychange', plan); // The timers of a sleeping machine are late.
  plan();
}
