import { ServerResponse } from 'node:http';
import { wrapEnd, wrapStart } from '../envelope.ts';
import type { ShelflistError } from '../errors.ts';
import { JsonText, type Data, type Reply } from './answer.ts';
import { askedAgain, listHeaders, notSniffed, notStored, type HeaderList } from './headers.ts';
import { writePages } from './pages.ts';
import type { Route } from './route.ts';

/** How the answers of one kind begin: what is the same in all of them. */
interface Form {
  readonly status: number;
  readonly headers: HeaderList;
  /** The envelope up to its data. */
  readonly start: string;
  readonly startLength: number;
}

/** A route as it is served. */
export interface ServedRoute extends Route {
  readonly form: Form;
}

export function prepareRoute(route: Route): ServedRoute {
  const { public: isPublic, status, message, headers } = route;
  const kept = isPublic === true ? notStored : askedAgain;
  return { ...route, form: createForm(status, message, { ...notSniffed, ...kept, ...headers }) };
}

function createForm(status: number, message: string, headers: Readonly<Record<string, string>>): Form {
  const start = wrapStart(status, message);
  return { status, headers: listHeaders(headers), start, startLength: Buffer.byteLength(start) };
}

/**
 * Sends what a handler has answered.
 *
 * @param own The headers that this answer has besides.
 * @returns A promise for an answer that leaves piece by piece.
 */
export function sendReply(
  response: ServerResponse,
  { form }: ServedRoute,
  { data, tag, headers: special, isNotModified }: Reply,
  own: HeaderList,
): Promise<void> | undefined {
  const headers = [...own, ...form.headers];
  if (special !== undefined) headers.push(...listHeaders(special));
  if (tag !== undefined) headers.push('ETag', tag);
  if (isNotModified === true) writeHead(response, 304, headers).end();
  else if (typeof data === 'string') sendText(response, form.status, data, headers);
  else if (isPages(data)) return sendPages(response, form, data, headers);
  else sendEnvelope(response, form, data, headers);
  return undefined;
}

function isPages(data: Data): data is Extract<Data, AsyncIterable<unknown>> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/** In a server that is not ours somebody may have replaced `writeHead`, by one that knows no lists of names and values. */
function writeHead(response: ServerResponse, status: number, headers: string[]): ServerResponse {
  if (response.writeHead === ServerResponse.prototype.writeHead) return response.writeHead(status, headers);
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : []));
  return response.writeHead(status, Object.fromEntries(pairs) as Record<string, string>);
}

/** Sends text as it is, in one write; the headers say of which type it is. */
function sendText(response: ServerResponse, status: number, text: string, headers: string[]): void {
  headers.push('Content-Length', String(Buffer.byteLength(text)));
  writeHead(response, status, headers).end(text);
}

/** Sends an envelope as one write. */
function sendEnvelope(response: ServerResponse, form: Form, data: unknown, headers: string[]): void {
  const { pieces, byteLength } = data instanceof JsonText ? data : new JsonText(JSON.stringify(data));
  const length = form.startLength + byteLength + wrapEnd.length;
  headers.push('Content-Type', 'application/json', 'Content-Length', String(length));
  writeHead(response, form.status, headers);
  const [first] = pieces;
  if (pieces.length === 1 && typeof first === 'string') {
    response.end(form.start + first + wrapEnd);
    return;
  }
  response.cork();
  for (const piece of [form.start, ...pieces]) response.write(piece);
  response.end(wrapEnd);
  response.uncork();
}

/** Sends an error's envelope. */
export function sendError(response: ServerResponse, error: ShelflistError, own: HeaderList): void {
  const fixed = { ...notSniffed, ...notStored, ...error.headers };
  const form = createForm(error.status, error.wireMessage, fixed);
  sendEnvelope(response, form, null, [...own, ...form.headers]);
}

/** Nothing is sent before the second page is there, so that a store that fails at once is answered with an error. */
async function sendPages(
  response: ServerResponse,
  form: Form,
  pages: AsyncIterable<string>,
  headers: string[],
): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const second = first.done === true ? first : await iterator.next();
  if (first.done === true || second.done === true) {
    sendEnvelope(response, form, new JsonText(`[${first.done === true ? '' : first.value}]`), headers);
    return;
  }
  headers.push('Content-Type', 'application/json');
  writeHead(response, form.status, headers);
  try {
    if (response.req.method === 'HEAD') response.end();
    else
      await writePages(response, [first.value, second.value], iterator, { start: form.start, end: wrapEnd });
  } finally {
    await iterator.return?.();
  }
}
