/** Hono on @hono/node-server; Hono's own middleware verifies the token. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { jwt, sign } from 'hono/jwt';
import { openBooks } from './support/books.ts';
import { messages, wrap, wrapFound, type Body } from './support/envelope.ts';
import { listen } from './support/listen.ts';
import { readSettings } from './support/settings.ts';
import { answerLogin } from './support/tokens.ts';

const { secret } = readSettings();
const books = await openBooks();
const app = new Hono();

app.post('/token', async (context) => {
  const issue = () => sign({ exp: Math.floor(Date.now() / 1000) + 900 }, secret, 'HS256');
  const envelope = await answerLogin(await context.req.json<Body>(), issue);
  return context.json(envelope, envelope.status);
});

app.use(jwt({ secret, alg: 'HS256' }));

app.get('/books', async (context) => context.json(wrap(200, messages.list, await books.list())));

app.get('/book/:id', async (context) => {
  const envelope = wrapFound(messages.get, await books.get(Number(context.req.param('id'))));
  return context.json(envelope, envelope.status);
});

app.post('/book', async (context) =>
  context.json(wrap(201, messages.create, await books.create(await context.req.json<Body>())), 201),
);

app.put('/book/:id', async (context) => {
  const book = await books.update(Number(context.req.param('id')), await context.req.json<Partial<Body>>());
  const envelope = wrapFound(messages.update, book);
  return context.json(envelope, envelope.status);
});

await listen(createAdaptorServer({ fetch: app.fetch }) as Server);
