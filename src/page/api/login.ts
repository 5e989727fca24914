import { open, readToken } from '../../client/answers.ts';
import { exchangeText } from '../../client/wire.ts';
import { holdToken } from './session.ts';
import { wire } from './wire.ts';

/** Logs in. @throws {ShelflistError} `invalid_credentials`, `too_many_attempts` or another. */
export async function logIn(username: string, password: string): Promise<void> {
  const body = { username, password };
  holdToken(readToken(open(await exchangeText(wire, { method: 'POST', path: '/token', body }))));
}
