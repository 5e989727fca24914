// The catalogue in a Fastify app: a plugin in which Fastify leaves bodies and responses alone.
import Fastify from 'fastify';
import { createHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

const app = Fastify();
const books = await createHandler(catalogue);

await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done) => done(null)); // Unread.
  const handle = (request, reply) => {
    reply.hijack();
    books(request.raw, reply.raw);
  };
  scope.all(catalogue.prefix, handle);
  scope.all(`${catalogue.prefix}/*`, handle);
});
app.addHook('preClose', () => books.close()); // Before Fastify waits for responses: it ends the streams of changes.
app.get('/', () => 'my own app');

console.log(`${await app.listen({ port, host: '127.0.0.1' })}${catalogue.prefix}/`);
process.once('SIGTERM', () => app.close());
