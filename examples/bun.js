// The catalogue in Bun: `bun bun.js`
import process from 'node:process';
import { createFetchHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

const books = await createFetchHandler(catalogue);

const server = Bun.serve({
  port,
  hostname: '127.0.0.1',
  idleTimeout: 30, // Longer than the 15 s between two comments in the stream of changes.
  fetch(request, server) {
    if (!/^\/catalogue(\/|$)/.test(new URL(request.url).pathname)) return new Response('my own app');
    return books(request, { remoteAddress: server.requestIP(request)?.address });
  },
});
console.log(`http://127.0.0.1:${server.port}${catalogue.prefix}/`);
process.once('SIGTERM', async () => {
  const ended = server.stop();
  await books.close(); // It answers what is in flight, and ends the streams of changes.
  await ended;
  process.exit();
});
