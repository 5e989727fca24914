import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, openStore } from '../../src/index.ts';
import { credentials, secretToken } from './service.ts';

/** A service that ends by SIGKILL after its first `createMany` is stored, before it answers: `killed-service.ts DATABASE_URL`. */
const store = await openStore(process.argv[2] ?? '');
const createMany: typeof store.createMany = async (...args) => {
  const created = await store.createMany(...args);
  process.kill(process.pid, 'SIGKILL');
  return created;
};
const server = await createServer({
  store: { ...store, createMany },
  secretToken,
  authUsername: credentials.username,
  authPassword: credentials.password,
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.stdout.write(url);
