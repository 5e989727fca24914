/** Express 5 with its JSON parser, the token verified by jose in a middleware. */
import { createServer } from 'node:http';
import express from 'express';
import { openBooks } from './support/books.ts';
import { messages, wrap, type Body } from './support/envelope.ts';
import { listen } from './support/listen.ts';
import { isAllowed, isLogin, issueToken } from './support/tokens.ts';

const books = await openBooks();
const app = express();
app.use(express.json());

app.post('/token', async (request, response) => {
  if (isLogin(request.body as Body)) response.json(wrap(200, messages.login, { token: await issueToken() }));
  else response.status(401).json(wrap(401, messages.refused, null));
});

app.use(async (request, response, next) => {
  if (await isAllowed(request.headers.authorization)) next();
  else response.status(401).json(wrap(401, messages.refused, null));
});

app.get('/books', async (_request, response) => {
  response.json(wrap(200, messages.list, await books.list()));
});

app.get('/book/:id', async (request, response) => {
  const book = await books.get(Number(request.params.id));
  if (book === undefined) response.status(404).json(wrap(404, messages.missing, null));
  else response.json(wrap(200, messages.get, book));
});

app.post('/book', async (request, response) => {
  response.status(201).json(wrap(201, messages.create, await books.create(request.body as Body)));
});

app.put('/book/:id', async (request, response) => {
  const book = await books.update(Number(request.params.id), request.body as Partial<Body>);
  if (book === undefined) response.status(404).json(wrap(404, messages.missing, null));
  else response.json(wrap(200, messages.update, book));
});

await listen(createServer(app));
