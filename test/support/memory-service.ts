import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { createServer } from '../../src/index.ts';
import { credentials, secretToken } from './service.ts';

/** A service in a separate process, for example with a small heap; it sends its port. */
const server = await createServer({
  secretToken,
  authUsername: credentials.username,
  authPassword: credentials.password,
  databaseUrl: 'memory:',
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
