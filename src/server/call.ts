import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseId } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { isNdjson, readJson, streamBody } from './body.ts';
import { readArray, readLines } from './bulk.ts';
import { readConditions } from './conditions.ts';
import type { CheckedConfig } from './config.ts';
import type { Call } from './route.ts';
import { readAskedPath } from './target.ts';

/** Makes of a request what a handler is given: each part is read when the handler asks for it. */
export function createCall(
  request: IncomingMessage,
  response: ServerResponse,
  { id, query }: { id: string | undefined; query: string },
  { bodyLimitBytes, bulkLimitBytes }: CheckedConfig,
): Call {
  return {
    get id() {
      return id === undefined ? 0 : readId(id);
    },
    query,
    get path() {
      return readAskedPath(request);
    },
    get conditions() {
      return readConditions(request.headers);
    },
    get address() {
      return request.socket.remoteAddress ?? '';
    },
    readJson: () => readJson(request, response, bodyLimitBytes),
    readElements() {
      const body = streamBody(request, response, bulkLimitBytes);
      return (isNdjson(request) ? readLines : readArray)(body, bodyLimitBytes);
    },
  };
}

/** What is no canonical id names no book. */
function readId(text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new ShelflistError('book_not_found');
  return id;
}
