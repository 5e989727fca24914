// An app with users and sessions of its own. Those who are logged in to the app use the catalogue and its page, without another login.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { createHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

/** The names of the users, by session. */
const sessions = new Map();

function userOf({ cookie = '' }) {
  const [, session] = /(?:^|; )session=([\w-]+)/.exec(cookie) ?? [];
  return sessions.get(session);
}

const { authUsername, authPassword, databaseUrl, prefix } = catalogue;
const books = await createHandler({
  databaseUrl,
  prefix,
  page: true,
  identify({ headers }) {
    const name = userOf(headers);
    return name && { name };
  },
});

async function logIn(request, response) {
  const form = new URLSearchParams(await text(request));
  const [given, right] = [form.get('password') ?? '', authPassword].map((each) => Buffer.from(each));
  if (form.get('name') !== authUsername || given.length !== right.length || !timingSafeEqual(given, right))
    return response.writeHead(403).end('Wrong name or password');
  const session = randomBytes(32).toString('base64url');
  sessions.set(session, authUsername);
  // Behind HTTPS, add Secure.
  const cookie = `session=${session}; HttpOnly; SameSite=Lax; Path=/`;
  return response.writeHead(303, { 'Set-Cookie': cookie, Location: `${prefix}/` }).end();
}

const form = `<form method="post" action="/login">
  <input name="name" placeholder="Name"> <input name="password" type="password" placeholder="Password"> <button>Log in</button>
</form>`;

const server = createServer((request, response) => {
  books(request, response, () => {
    if (request.method === 'POST' && request.url === '/login') void logIn(request, response);
    else
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><title>My app</title>${form}`);
  });
});
server.listen(port, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
process.once('SIGTERM', async () => {
  server.close();
  await books.close();
  server.closeAllConnections();
});
