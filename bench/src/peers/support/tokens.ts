import { jwtVerify, SignJWT } from 'jose';
import { messages, wrap, type Body, type Envelope } from './envelope.ts';
import { readSettings } from './settings.ts';

const { secret, username, password } = readSettings();
const key = new TextEncoder().encode(secret);

export const refusal = wrap(401, messages.refused, null);

/** Verifies the token of a request with jose. */
export async function isAllowed(authorization: string | undefined): Promise<boolean> {
  try {
    await jwtVerify(authorization?.replace('Bearer ', '') ?? '', key);
    return true;
  } catch {
    return false;
  }
}

/** Answers a login; a peer whose framework issues tokens passes its own function. */
export async function answerLogin(
  login: Body,
  issueToken: () => string | Promise<string> = issue,
): Promise<Envelope> {
  if (login.username !== username || login.password !== password) return refusal;
  return wrap(200, messages.login, { token: await issueToken() });
}

function issue(): Promise<string> {
  return new SignJWT().setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setExpirationTime('15m').sign(key);
}
