import type { Tokens } from '../auth/tokens.ts';
import { ShelflistError } from '../errors.ts';

/**
 * Passes a request whose `Authorization` value is a valid token; the value is the token alone.
 *
 * @throws {ShelflistError} `token_required`, `invalid_token`.
 */
export type Authenticate = (authorization: string | undefined) => Promise<void> | undefined;

/** @param acceptBearer Whether `Bearer TOKEN` is taken as well. */
export function createAuthentication(tokens: Tokens, acceptBearer: boolean): Authenticate {
  return (authorization) => {
    if (authorization === undefined || authorization === '') throw new ShelflistError('token_required');
    return tokens.verify(acceptBearer ? authorization.replace(/^bearer +/i, '') : authorization);
  };
}
