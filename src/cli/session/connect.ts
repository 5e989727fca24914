import type { Client } from '../../client/client.ts';
import { createClient } from '../../client/create-client.ts';
import type { ClientOptions } from '../../client/options.ts';
import { createHttpFetch } from './http-fetch.ts';

/** Creates the client of a command. */
export function connect(options: ClientOptions): Client {
  return createClient({ fetch: createHttpFetch(), ...options });
}
