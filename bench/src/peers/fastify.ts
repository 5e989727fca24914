/** Fastify with @fastify/jwt, as their guides have it: the token is verified in a hook. */
import { fastifyJwt } from '@fastify/jwt';
import { fastify } from 'fastify';
import { openBooks } from './support/books.ts';
import { messages, wrap, type Body } from './support/envelope.ts';
import { listen } from './support/listen.ts';
import { readSettings } from './support/settings.ts';

const { secret, username, password } = readSettings();
const books = await openBooks();
const app = fastify();
app.register(fastifyJwt, { secret, sign: { expiresIn: '15m' } });

app.post<{ Body: Body }>('/token', (request, reply) => {
  if (request.body.username !== username || request.body.password !== password)
    return reply.code(401).send(wrap(401, messages.refused, null));
  return wrap(200, messages.login, { token: app.jwt.sign({}) });
});

app.register((api, _options, done) => {
  api.addHook('onRequest', (request) => request.jwtVerify());
  api.get('/books', async () => wrap(200, messages.list, await books.list()));
  api.get<{ Params: { id: string } }>('/book/:id', async (request, reply) => {
    const book = await books.get(Number(request.params.id));
    if (book === undefined) return reply.code(404).send(wrap(404, messages.missing, null));
    return wrap(200, messages.get, book);
  });
  api.post<{ Body: Body }>('/book', async (request, reply) =>
    reply.code(201).send(wrap(201, messages.create, await books.create(request.body))),
  );
  api.put<{ Params: { id: string }; Body: Partial<Body> }>('/book/:id', async (request, reply) => {
    const book = await books.update(Number(request.params.id), request.body);
    if (book === undefined) return reply.code(404).send(wrap(404, messages.missing, null));
    return wrap(200, messages.update, book);
  });
  done();
});

await app.listen({ port: 0, host: '127.0.0.1' });
await listen(app.server);
