import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './temp.ts';

/** A book, as the Books API of Open Library describes it. */
export interface SourceBook {
  readonly title?: unknown;
  readonly subtitle?: unknown;
  readonly authors?: unknown;
  readonly publish_date?: unknown;
}

interface BookSource {
  /** The address of the server, with a slash at its end. */
  readonly url: string;
  /** A value of `BOOK_LOOKUP` that is answered like Open Library does. */
  readonly openLibrary: string;
  /** The numbers that were asked for. */
  readonly asked: string[];
  /** The headers of the last request. */
  readonly headers: () => IncomingHttpHeaders;
}

/** Starts a server that answers like a source of books. @param respond Responds instead; default: like Open Library. */
export async function startBookSource(
  context: Scope,
  books: Readonly<Record<string, SourceBook>> | RequestListener,
): Promise<BookSource> {
  const asked: string[] = [];
  let headers: IncomingHttpHeaders = {};
  const server = http.createServer((request, response) => {
    const [, isbn = ''] = /isbn[=:]([\dX]+)/i.exec(decodeURIComponent(request.url ?? '')) ?? [];
    asked.push(isbn);
    ({ headers } = request);
    if (typeof books === 'function') {
      books(request, response);
      return;
    }
    const book = books[isbn];
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(book === undefined ? {} : { [`ISBN:${isbn}`]: book }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const openLibrary = `${url}api/books?bibkeys=ISBN:{isbn}&jscmd=data&format=json`;
  return { url, openLibrary, asked, headers: () => headers };
}

/** A valid ISBN for each number. */
export function isbnOf(number: number): string {
  const start = `978${String(number).padStart(9, '0')}`;
  const sum = Array.from(start, Number).reduce((all, digit, at) => all + digit * (at % 2 === 0 ? 1 : 3), 0);
  return `${start}${(10 - (sum % 10)) % 10}`;
}
