/** Express 5 with its JSON parser; a middleware verifies the token with jose. */
import { createServer } from 'node:http';
import express from 'express';
import { openBooks } from './support/books.ts';
import { messages, wrap, wrapFound, type Body } from './support/envelope.ts';
import { listen } from './support/listen.ts';
import { checkToken, logIn, send } from './support/middleware.ts';

const books = await openBooks();
const app = express();
app.use(express.json());
app.post('/token', logIn);
app.use(checkToken);

app.get('/books', async (_request, response) => {
  send(response, wrap(200, messages.list, await books.list()));
});

app.get('/book/:id', async (request, response) => {
  send(response, wrapFound(messages.get, await books.get(Number(request.params.id))));
});

app.post('/book', async (request, response) => {
  send(response, wrap(201, messages.create, await books.create(request.body as Body)));
});

app.put('/book/:id', async (request, response) => {
  const book = await books.update(Number(request.params.id), request.body as Partial<Body>);
  send(response, wrapFound(messages.update, book));
});

await listen(createServer(app));
