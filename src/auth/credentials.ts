import { createHash, timingSafeEqual } from 'node:crypto';
import { ShelflistError } from '../catalogue/errors.ts';
import { isShortPassword, minPasswordLength } from '../catalogue/limits.ts';

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
  return readTexts(value, 'username', 'password');
}

/** Reads a change of the password from untrusted JSON. @throws {ShelflistError} `invalid_payload`. */
export function parsePasswordChange(value: unknown): PasswordChange {
  const change = readTexts(value, 'password', 'newPassword');
  if (isShortPassword(change.newPassword))
    throw new ShelflistError('invalid_payload', {
      message: `newPassword has fewer than ${minPasswordLength} characters`,
    });
  return change;
}

function readTexts<Name extends string>(value: unknown, ...names: readonly Name[]): Record<Name, string> {
  const entries = names.map((name) => [name, (value as Record<string, unknown> | null | undefined)?.[name]]);
  if (entries.every(([, text]) => typeof text === 'string'))
    return Object.fromEntries(entries) as Record<Name, string>;
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
