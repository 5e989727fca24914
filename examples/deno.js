// The catalogue in Deno: `deno run --allow-read --allow-write --allow-net --allow-env --allow-ffi --allow-sys=uid deno.js`
import { createFetchHandler } from 'shelflist';
import { catalogue, port } from './settings.js';

const books = await createFetchHandler(catalogue);

const server = Deno.serve({ port, hostname: '127.0.0.1', onListen }, (request, { remoteAddr }) => {
  if (!/^\/catalogue(\/|$)/.test(new URL(request.url).pathname)) return new Response('my own app');
  return books(request, { remoteAddress: remoteAddr.hostname });
});
function onListen({ port }) {
  console.log(`http://127.0.0.1:${port}${catalogue.prefix}/`);
}
Deno.addSignalListener('SIGTERM', async () => {
  const ended = server.shutdown();
  await books.close(); // It answers what is in flight, and ends the streams of changes.
  await ended;
  Deno.exit();
});
