import { createHash, timingSafeEqual } from 'node:crypto';
import { ShelflistError } from '../catalogue/errors.ts';

export interface Login {
  username: string;
  password: string;
}

/** Another password for a login. */
export interface PasswordChange {
  readonly password: string;
  readonly newPassword: string;
}

/** Reads a login from untrusted JSON. @throws {ShelflistError} `invalid_payload`. */
export function parseLogin(value: unknown): Login {
  if (typeof value === 'object' && value !== null) {
    const { username, password } = value as Record<string, unknown>;
    if (typeof username === 'string' && typeof password === 'string') return { username, password };
  }
  throw new ShelflistError('invalid_payload');
}

/** Reads a change of the password from untrusted JSON. @throws {ShelflistError} `invalid_payload`. */
export function parsePasswordChange(value: unknown): PasswordChange {
  if (typeof value === 'object' && value !== null) {
    const { password, newPassword } = value as Record<string, unknown>;
    if (typeof password === 'string' && typeof newPassword === 'string' && newPassword !== '')
      return { password, newPassword };
  }
  throw new ShelflistError('invalid_payload');
}

/** Returns whether a login has the accepted credentials. */
type CredentialCheck = (login: Login) => boolean;

/**
 * Compares digests of equal length, and always both. Neither the time nor the result reveals whether the username or the
 * password was wrong, or how much of either was right.
 *
 * @param accepted Its password may change later.
 */
export function createCredentialCheck(accepted: Readonly<Login>): CredentialCheck {
  return (login) => {
    const isUsername = timingSafeEqual(digest(login.username), digest(accepted.username));
    const isPassword = timingSafeEqual(digest(login.password), digest(accepted.password));
    return isUsername && isPassword;
  };
}

function digest(text: string): Buffer {
  // UTF-16 is lossless for every string; UTF-8 would make all lone surrogates equal.
  return createHash('sha256').update(text, 'utf16le').digest();
}
