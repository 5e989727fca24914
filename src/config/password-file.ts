import { ShelflistError } from '../catalogue/errors.ts';
import { isShortPassword, minPasswordLength } from '../catalogue/limits.ts';
import { changeDotenv } from './change-dotenv.ts';
import { replaceVariable } from './environment.ts';
import { settings } from './settings.ts';

const { variable } = settings.authPassword;

/** Why a password cannot be a new one; `undefined` if it can. */
export function findPasswordProblem(password: string): string | undefined {
  return isShortPassword(password)
    ? `the new password has fewer than ${minPasswordLength} characters`
    : undefined;
}

/**
 * Replaces the password in the `.env` of a folder. The other lines stay as they are, and only its owner can read the file.
 *
 * @returns The path of the file, which `.env` may be a link to.
 * @throws {ShelflistError} `invalid_payload`: it is too short, or the file cannot hold it.
 * @throws {ConfigError} It cannot be written.
 */
export function replacePassword(directory: string, password: string): Promise<string> {
  return changeDotenv(directory, variable, (before) => setPassword(before, password));
}

/**
 * The text of a `.env` with another password.
 *
 * @throws {ShelflistError} `invalid_payload`: it is too short, or the file cannot hold it.
 */
export async function setPassword(dotenv: string, password: string): Promise<string> {
  const problem = findPasswordProblem(password);
  if (problem !== undefined) throw new ShelflistError('invalid_payload', { message: problem });
  // A text that is not well-formed would be another one in the file.
  const text = password.isWellFormed() ? await replaceVariable(dotenv, variable, password) : undefined;
  if (text !== undefined) return text;
  throw new ShelflistError('invalid_payload', {
    message:
      'a .env cannot hold this password: it has all kinds of quotes, or a character that is not text; choose another',
  });
}
