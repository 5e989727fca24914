import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { createServer } from '../../src/index.ts';
import { credentials, secretToken } from './service.ts';

/**
 * A service in a separate process whose heap is measured: `node --expose-gc measured-service.ts DATABASE_URL`. It sends its port, and
 * for each message the bytes in use: after garbage collections if the message is `collect`.
 */
const server = await createServer({
  secretToken,
  authUsername: credentials.username,
  authPassword: credentials.password,
  databaseUrl: process.argv[2] ?? '',
  logger: false,
});
process.on('message', (message) => {
  void (async () => {
    // What finalizers release needs another one.
    for (let turn = 0; message === 'collect' && turn < 4; turn++) {
      globalThis.gc?.();
      await new Promise(setImmediate);
    }
    process.send?.(process.memoryUsage().heapUsed);
  })();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
