/** json-server with a JSON file, its own routes under the paths of shelflist, and a middleware with jose. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import jsonServer from 'json-server';
import { readInitialBooks } from './support/books.ts';
import { listen } from './support/listen.ts';
import { checkToken, logIn } from './support/middleware.ts';
import { readSettings } from './support/settings.ts';

const file = join(readSettings().database, 'db.json');
writeFileSync(file, JSON.stringify({ books: readInitialBooks() }));

const app = jsonServer.create();
app.use(jsonServer.bodyParser);
app.post('/token', logIn);
app.use(checkToken);
// Its PUT replaces the whole record. Its PATCH changes the given fields, like the PUT of shelflist.
app.use((request, _response, next) => {
  if (request.method === 'PUT') request.method = 'PATCH';
  next();
});
app.use(jsonServer.rewriter({ '/book': '/books', '/book/:id': '/books/:id' }));
app.use(jsonServer.router(file));

await listen(createServer(app));
