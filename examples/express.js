// The catalogue in an Express app. Express takes the prefix off, so the handler gets none.
import express from 'express';
import { createHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

const app = express();
const { prefix, ...config } = catalogue;
const books = await createHandler(config);

app.use(prefix, books); // Before body parsers: the catalogue reads bodies itself, and knows their limits.
app.use(express.json());
app.get('/', (request, response) => response.send('my own app'));

const server = app.listen(port, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}${prefix}/`);
});
process.once('SIGTERM', async () => {
  server.close();
  await books.close(); // It answers what is in flight, and ends the streams of changes.
  server.closeIdleConnections();
});
