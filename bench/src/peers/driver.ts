/** Bare node:http with one call of MongoDB's driver for each request (two for a create): no token, no checks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Fields } from './books/books.ts';
import { openBooks } from './support/books.ts';
import { messages, wrap } from './support/envelope.ts';
import { listen } from './support/listen.ts';

const books = await openBooks();

async function answer(request: IncomingMessage): Promise<ReturnType<typeof wrap>> {
  const { method, url = '' } = request;
  const id = Number(url.slice('/book/'.length));
  if (method === 'POST')
    return wrap(201, messages.create, await books.create((await json(request)) as Fields));
  if (method === 'PUT')
    return wrap(200, messages.update, await books.update(id, (await json(request)) as Partial<Fields>));
  if (url === '/books') return wrap(200, messages.list, await books.list());
  return wrap(200, messages.get, await books.get(id));
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const envelope = await answer(request);
  const text = JSON.stringify(envelope);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(envelope.status, headers).end(text);
}

await listen(createServer((request, response) => void handle(request, response)));
