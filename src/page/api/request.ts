import { findRefusal } from '../../client/answers.ts';
import { exchangeText, type Send } from '../../client/wire.ts';
import { freshToken } from './renewal.ts';
import { session, waitForLogin } from './session.ts';
import { wire } from './wire.ts';

/**
 * Sends a request to the service. If the service refuses the token, the request waits for a login and is sent again.
 *
 * @throws {ShelflistError} The request failed.
 */
export const send: Send = async (exchange) => {
  const token = await freshToken();
  const answer = await exchangeText(wire, { ...exchange, token });
  const refusal = findRefusal(answer);
  // If somebody has logged out, nothing waits for the next login.
  if (refusal === undefined || session.value.phase === 'out') return answer;
  // Another request may have brought a new token meanwhile.
  if (session.value.token === token || session.value.token === undefined) await waitForLogin(refusal);
  return exchangeText(wire, { ...exchange, token: session.value.token });
};
