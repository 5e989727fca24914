import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Login } from './credentials.ts';

/** The claim of a token that contains the proof of its login. */
export const loginProofClaim = 'login';

/** Separates this use of the secret from signatures: the signed part of a token contains no space. */
const label = 'shelflist login\0';

/** Proves that a token comes from a login with the credentials that are accepted now. */
export interface LoginProof {
  /** The value of the claim. It reveals nothing of the credentials to those who do not know the secret. */
  readonly text: string;
  /** Whether a claim has this value; compared in constant time. */
  matches(claim: unknown): boolean;
}

/** An HMAC of the credentials: a new username or password gives another one. */
export function createLoginProof(secret: Uint8Array, { username, password }: Login): LoginProof {
  // The length separates the two. UTF-16 is lossless for every string.
  const credentials = Buffer.from(`${username.length}:${username}${password}`, 'utf16le');
  const own = createHmac('sha256', secret).update(label).update(credentials).digest();
  const text = own.toString('base64url');
  return {
    text,
    matches(claim) {
      if (typeof claim !== 'string') return false;
      const other = Buffer.from(claim, 'base64url');
      return other.length === own.length && timingSafeEqual(other, own);
    },
  };
}
