import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { messages, wrap, wrapFound, type Body, type Envelope } from './envelope.ts';
import { openBooks } from './books.ts';
import { listen } from './listen.ts';

/** Serves the books with Fastify: everything except the login is behind a hook. */
export async function serveBooks(
  app: FastifyInstance,
  logIn: (login: Body) => Promise<Envelope>,
  checkToken: onRequestAsyncHookHandler,
): Promise<void> {
  const books = await openBooks();
  app.post<{ Body: Body }>('/token', async (request, reply) => {
    const envelope = await logIn(request.body);
    return reply.code(envelope.status).send(envelope);
  });
  app.register((api, _options, done) => {
    api.addHook('onRequest', checkToken);
    api.get('/books', async () => wrap(200, messages.list, await books.list()));
    api.get<{ Params: { id: string } }>('/book/:id', async (request, reply) => {
      const envelope = wrapFound(messages.get, await books.get(Number(request.params.id)));
      return reply.code(envelope.status).send(envelope);
    });
    api.post<{ Body: Body }>('/book', async (request, reply) =>
      reply.code(201).send(wrap(201, messages.create, await books.create(request.body))),
    );
    api.put<{ Params: { id: string }; Body: Partial<Body> }>('/book/:id', async (request, reply) => {
      const envelope = wrapFound(
        messages.update,
        await books.update(Number(request.params.id), request.body),
      );
      return reply.code(envelope.status).send(envelope);
    });
    done();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  await listen(app.server);
}
