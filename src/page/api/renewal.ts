import { findRefusal, open, readToken } from '../../client/answers.ts';
import { exchangeText } from '../../client/wire.ts';
import { readTokenTimes } from '../../lib/token-claims.ts';
import { holdToken, session } from './session.ts';
import { wire } from './wire.ts';

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
  const { token = '', receivedAt = 0 } = session.value;
  const { issuedAt, expiresAt, loginAt } = readTokenTimes(token);
  if (issuedAt === undefined || expiresAt === undefined || loginAt === undefined || token === refused)
    return Infinity;
  // The lifetime does not depend on the clock of this machine.
  return Math.max(receivedAt + (expiresAt - issuedAt) * 1000 * part, notBefore) - Date.now();
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
    const answer = await exchangeText(wire, { method: 'POST', path: '/token/renew', token });
    if (findRefusal(answer))
      refused = token; // It shows in the next request.
    else {
      const renewed = readToken(open(answer));
      if (session.value.token === token) holdToken(renewed);
    }
  } catch {
    notBefore = Date.now() + retryMs;
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
