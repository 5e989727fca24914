// The catalogue as a route handler of the App Router.
import { createFetchHandler } from 'shelflist';
import { catalogue } from '../../../../settings.js';

// Opened by the first request: `next build` loads this file, too. Kept beside the module, which `next dev` loads again.
const open = () => (globalThis.books ??= begin());

async function begin() {
  const books = await createFetchHandler(catalogue);
  process.once('SIGTERM', () => books.close()); // Ends the streams of changes, for which Next would wait.
  return books;
}

// Next takes the address of the client from the connection, unless the request names one: a proxy in front must replace that.
const remoteAddress = (request) => request.headers.get('x-forwarded-for')?.split(',').at(-1).trim();
const handle = async (request) => (await open())(request, { remoteAddress: remoteAddress(request) });

export { handle as GET, handle as HEAD, handle as OPTIONS, handle as POST, handle as PUT, handle as DELETE };
