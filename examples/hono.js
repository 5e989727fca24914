// The catalogue in a Hono app, from Request to Response. The same handler fits Bun and Deno.
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { createFetchHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

const app = new Hono();
const books = await createFetchHandler(catalogue);

// With the address of the client, the failed logins of one client do not delay the logins of all.
const handle = (context) => books(context.req.raw, { remoteAddress: getConnInfo(context).remote.address });
app.all(catalogue.prefix, handle);
app.all(`${catalogue.prefix}/*`, handle);
app.get('/', (context) => context.text('my own app'));

const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (address) => {
  console.log(`http://127.0.0.1:${address.port}${catalogue.prefix}/`);
});
process.once('SIGTERM', async () => {
  server.close();
  await books.close(); // It answers what is in flight, and ends the streams of changes.
  server.closeIdleConnections();
});
