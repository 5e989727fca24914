import type { RequestTemplate } from './job.ts';

/** The number of books to choose from. Their ids have equally many digits, so all requests have the same length. */
const ids = { first: 1000, count: 9000 };
const years = { first: 1000, count: 9000 };

/** Creates a function that returns the bytes of the next request. */
export function createSource({ method, path, headers, body }: RequestTemplate, host: string): () => Buffer {
  const all = {
    Host: host,
    ...headers,
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(fill(body, 0))),
    }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
  if (fill(text, 0) === text) {
    const bytes = Buffer.from(text);
    return () => bytes;
  }
  let count = 0;
  return () => Buffer.from(fill(text, count++));
}

/** Picks books out of order, and never sets the year that a book already has. */
function fill(text: string, count: number): string {
  const id = ids.first + ((count * 7919) % ids.count);
  const year = years.first + ((count * 13 + Math.floor(count / ids.count)) % years.count);
  return text.replace('{id}', String(id)).replace('{year}', String(year));
}
