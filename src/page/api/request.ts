import { ApiError } from './api-error.ts';
import { freshToken } from './renewal.ts';
import { session, waitForLogin } from './session.ts';
import { open, read, type Answer, type RequestOptions } from './transport.ts';

/** Refusals that a new login can end. */
const refusals = ['invalid_token', 'token_required'];

/**
 * Sends a request to the service, below the address of the page. If the service refuses the token, the request waits for a
 * login and is sent again.
 *
 * @param path Relative, such as `books?q=emma`.
 * @throws {ApiError} The request failed.
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Answer> {
  const token = await freshToken();
  try {
    return await read(await open(path, options, token));
  } catch (error) {
    if (!(error instanceof ApiError) || !refusals.includes(error.code)) throw error;
    if (session.value.phase === 'out') throw error; // Somebody has logged out: nothing waits for the next login.
    // Another request may have brought a new token meanwhile.
    if (session.value.token === token || session.value.token === undefined) await waitForLogin(error);
    return read(await open(path, options, session.value.token));
  }
}
