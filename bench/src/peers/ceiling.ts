/**
 * Bare node:http, which answers every request of a method with the same bytes: no token, no routes, no store. It shows
 * what Node can do on this machine. Its responses have the headers and the length of those of shelflist.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Answer } from '../answer.ts';
import { readSettings } from './support/settings.ts';
import { listen } from './support/listen.ts';

const recorded = JSON.parse(readFileSync(readSettings().answers, 'utf8')) as Record<string, Answer>;
const answers = new Map(
  Object.entries(recorded).map(([method, { status, headers, body }]) => [
    method,
    { status, headers, body: body.length > 64_000 ? Buffer.from(body) : body },
  ]),
);

const server = createServer((request, response) => {
  const answer = answers.get(request.method ?? '');
  if (answer === undefined) {
    response.writeHead(405).end();
    return;
  }
  const send = () => response.writeHead(answer.status, answer.headers).end(answer.body);
  if (request.method === 'GET') send();
  else request.on('data', () => undefined).on('end', send);
});
await listen(server);
