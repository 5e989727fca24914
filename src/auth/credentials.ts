import { createHash, timingSafeEqual } from 'node:crypto';
import { ShelflistError } from '../errors.ts';

/** The pair that a login sends. */
export interface Login {
  username: string;
  password: string;
}

/** Reads a login from untrusted JSON. @throws {ShelflistError} `invalid_payload`. */
export function parseLogin(value: unknown): Login {
  if (typeof value === 'object' && value !== null) {
    const { username, password } = value as Record<string, unknown>;
    if (typeof username === 'string' && typeof password === 'string') return { username, password };
  }
  throw new ShelflistError('invalid_payload');
}

/** Tells whether a login is the one accepted pair. */
export type CredentialCheck = (login: Login) => boolean;

/**
 * Compares by digests of equal length and always compares both, so that neither the time taken nor the
 * answer tells a wrong name from a wrong password, or how much of either was right.
 */
export function createCredentialCheck(accepted: Login): CredentialCheck {
  const username = digest(accepted.username);
  const password = digest(accepted.password);
  return (login) => {
    const sameUsername = timingSafeEqual(digest(login.username), username);
    const samePassword = timingSafeEqual(digest(login.password), password);
    return sameUsername && samePassword;
  };
}

function digest(text: string): Buffer {
  // UTF-16 is lossless for every JavaScript string; UTF-8 would make all lone surrogates equal.
  return createHash('sha256').update(text, 'utf16le').digest();
}
