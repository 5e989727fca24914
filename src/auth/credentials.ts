import { createHash, timingSafeEqual } from 'node:crypto';
import { ShelflistError } from '../catalogue/errors.ts';

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

/** Returns whether a login has the accepted credentials. */
type CredentialCheck = (login: Login) => boolean;

/**
 * Compares digests of equal length, and always both. Neither the time nor the result reveals whether the username or the
 * password was wrong, or how much of either was right.
 */
export function createCredentialCheck(accepted: Login): CredentialCheck {
  const username = digest(accepted.username);
  const password = digest(accepted.password);
  return (login) => {
    const isUsername = timingSafeEqual(digest(login.username), username);
    const isPassword = timingSafeEqual(digest(login.password), password);
    return isUsername && isPassword;
  };
}

function digest(text: string): Buffer {
  // UTF-16 is lossless for every string; UTF-8 would make all lone surrogates equal.
  return createHash('sha256').update(text, 'utf16le').digest();
}
