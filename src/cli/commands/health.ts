import type { Command } from 'commander';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { dataOf } from '../../client/answers.ts';
import { createScope, exchangeText } from '../../client/wire.ts';
import { addUrlOption } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { createHttpFetch } from '../session/connection.ts';
import { findTarget, type SessionOptions } from '../session/target.ts';

const help = `
For supervisors and containers: asks the service whether it can read and write its store.
Needs no login. The exit status is 0 if it can, else 5.

Examples:
  $ shelflist health
  $ shelflist health --url http://127.0.0.1:8080/catalogue`;

/** The maximum wait for the service, in milliseconds: the checks of supervisors run every few seconds. */
const timeoutMs = 5000;

export function defineHealth(command: Command, io: Io): void {
  addUrlOption(command)
    .addHelpText('after', help)
    .action(async (options: Pick<SessionOptions, 'url'>) => {
      const { url } = await findTarget(io, options);
      await checkReady(url, io.env);
      notice(io, `${url} is ready`);
    });
}

/** @throws {ShelflistError} An error whose exit status is 5, whatever the answer is: a proxy may refuse the request, too. */
async function checkReady(url: string, env: Io['env']): Promise<void> {
  const limit = createScope();
  const request = exchangeText(
    { root: url, fetch: createHttpFetch(env) },
    { path: '/readyz', signal: limit.signal },
  );
  try {
    dataOf(await limit.wait(timeoutMs, `cannot reach ${url}: no response within`, request));
  } catch (cause) {
    if (hasCode(cause, 'unreachable')) throw cause;
    const message = `${url} is not ready: ${(cause as Error).message}`;
    throw new ShelflistError('unavailable', { message, cause });
  }
}
