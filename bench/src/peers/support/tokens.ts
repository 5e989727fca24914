import { jwtVerify, SignJWT } from 'jose';
import { readSettings } from './settings.ts';

const { secret, username, password } = readSettings();
const key = new TextEncoder().encode(secret);

/** Verifies what a request carries with jose. */
export async function isAllowed(authorization: string | undefined): Promise<boolean> {
  try {
    await jwtVerify(authorization?.replace('Bearer ', '') ?? '', key);
    return true;
  } catch {
    return false;
  }
}

export function isLogin(body: { username: string; password: string }): boolean {
  return body.username === username && body.password === password;
}

export function issueToken(): Promise<string> {
  return new SignJWT().setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setExpirationTime('15m').sign(key);
}
