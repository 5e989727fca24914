// The catalogue in a Koa app: a middleware that hands request and response over.
import Koa from 'koa';
import { createHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

const app = new Koa();
const books = await createHandler(catalogue);

app.use(async (context, next) => {
  if (!/^\/catalogue(\/|$)/.test(context.path)) return next();
  context.respond = false; // The catalogue answers.
  books(context.req, context.res);
});
app.use((context) => (context.body = 'my own app'));

const server = app.listen(port, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}${catalogue.prefix}/`);
});
process.once('SIGTERM', async () => {
  server.close();
  await books.close(); // It answers what is in flight, and ends the streams of changes.
  server.closeIdleConnections();
});
