/** Hono on @hono/node-server, the token verified by Hono's own middleware. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { jwt, sign } from 'hono/jwt';
import { openBooks } from './support/books.ts';
import { messages, wrap, type Body } from './support/envelope.ts';
import { listen } from './support/listen.ts';
import { readSettings } from './support/settings.ts';

const { secret, username, password } = readSettings();
const books = await openBooks();
const app = new Hono();

app.post('/token', async (context) => {
  const login = await context.req.json<Body>();
  if (login.username !== username || login.password !== password)
    return context.json(wrap(401, messages.refused, null), 401);
  const token = await sign({ exp: Math.floor(Date.now() / 1000) + 900 }, secret, 'HS256');
  return context.json(wrap(200, messages.login, { token }));
});

app.use(jwt({ secret, alg: 'HS256' }));

app.get('/books', async (context) => context.json(wrap(200, messages.list, await books.list())));

app.get('/book/:id', async (context) => {
  const book = await books.get(Number(context.req.param('id')));
  if (book === undefined) return context.json(wrap(404, messages.missing, null), 404);
  return context.json(wrap(200, messages.get, book));
});

app.post('/book', async (context) =>
  context.json(wrap(201, messages.create, await books.create(await context.req.json<Body>())), 201),
);

app.put('/book/:id', async (context) => {
  const book = await books.update(Number(context.req.param('id')), await context.req.json<Partial<Body>>());
  if (book === undefined) return context.json(wrap(404, messages.missing, null), 404);
  return context.json(wrap(200, messages.update, book));
});

await listen(createAdaptorServer({ fetch: app.fetch }) as Server);
