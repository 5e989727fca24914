import { createStore } from '../state/store.ts';
import { asObject, isHeaderText, readJson, writeJson } from '../state/session-storage.ts';

/**
 * The login of this tab. `expired`: the service refused the token while somebody was at work; the work waits for the next
 * login.
 */
export interface Session {
  readonly phase: 'out' | 'in' | 'expired';
  readonly token?: string;
  /** When the token was received, by `Date.now()`. */
  readonly receivedAt?: number;
}

const key = 'session';
const out: Session = { phase: 'out' };

/** The token stays in memory and in `sessionStorage`: it ends with the tab. */
export const session = createStore<Session>(readStored());

function readStored(): Session {
  const { token, receivedAt } = asObject(readJson(key));
  if (!isHeaderText(token) || typeof receivedAt !== 'number') return out;
  return { phase: 'in', token, receivedAt };
}

/** Takes over a token that the service has just issued. */
export function holdToken(token: string): void {
  const next: Session = { phase: 'in', token, receivedAt: Date.now() };
  writeJson(key, { token, receivedAt: next.receivedAt });
  session.set(next);
  for (const { resume } of takeWaiting()) resume();
}

/** Forgets the token. */
export function dropToken(phase: 'out' | 'expired'): void {
  writeJson(key, undefined);
  session.set(phase === 'out' ? out : { phase });
}

/** Requests that wait for a login. */
let waiting: { readonly resume: () => void; readonly fail: () => void }[] = [];

/** Asks for a login, and waits for it. @throws The error, if nobody logs in. */
export function waitForLogin(error: Error): Promise<void> {
  dropToken('expired');
  return new Promise((resolve, reject) => {
    const fail = () => {
      reject(error);
    };
    waiting.push({ resume: resolve, fail });
  });
}

/** Closes the question for a login. What waits for one fails. */
export function stayLoggedOut(): void {
  session.set(out);
  for (const { fail } of takeWaiting()) fail();
}

function takeWaiting(): typeof waiting {
  const taken = waiting;
  waiting = [];
  return taken;
}
