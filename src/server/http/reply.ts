import { ServerResponse } from 'node:http';
import { wrapEnd, wrapStart } from '../../api/envelope.ts';
import { JsonText } from '../../lib/json-text.ts';
import { isOfDamage, ShelflistError, wireErrorCode, wireErrorOf } from '../../catalogue/errors.ts';
import { HttpError } from './http-error.ts';
import { isLong, type Frame, type UnreadBytes, writePages } from './writing.ts';

/** A body that is sent page by page, without an envelope. */
export class TextPages {
  readonly contentType: string;
  readonly pages: AsyncIterable<string>;
  readonly frame: Frame;

  constructor(contentType: string, pages: AsyncIterable<string>, frame: Frame) {
    this.contentType = contentType;
    this.pages = pages;
    this.frame = frame;
  }
}

interface Common {
  /** The quoted `ETag`. */
  readonly tag?: string;
  readonly headers?: Headers;
}

/** A JSON value, or prepared JSON, in the envelope. */
interface DataReply extends Common {
  readonly data: object | null;
}

/** Text or bytes without an envelope. The headers give their type. */
interface BodyReply extends Common {
  readonly body: string | Uint8Array;
  /** Default: the status of the route. */
  readonly status?: number;
  /** The error that the body describes, for the log. */
  readonly error?: ShelflistError;
}

/** A body that is made page by page: {@link TextPages}, or the elements of an array as comma-separated JSON, in the envelope. */
interface PagesReply extends Common {
  readonly pages: TextPages | AsyncIterable<string>;
}

/** Headers, and a body that sends itself. */
interface StreamReply extends Common {
  /** Sends the body, and ends the response. Resolves at its end. */
  readonly stream: (response: ServerResponse) => Promise<void>;
  /** Called instead of `stream` for HEAD. */
  readonly drop: () => void;
}

/** A 304: the client already has the state with this tag. */
interface NotModifiedReply extends Common {
  readonly isNotModified: true;
}

/** The result of a handler. */
export type Reply = DataReply | BodyReply | PagesReply | StreamReply | NotModifiedReply;

export function notModified(tag: string): NotModifiedReply {
  return { tag, isNotModified: true };
}

/** The constant part of a response. */
export interface Template {
  readonly status: number;
  readonly headers: HeaderList;
  /** The envelope up to its data. */
  readonly start: string;
  readonly startLength: number;
}

/** The constant part of the responses of a route. */
export function templateOf(route: {
  readonly public?: boolean;
  readonly status: number;
  readonly message: string;
  readonly headers?: Headers;
}): Template {
  const caching = route.public === true ? noStore : revalidated;
  return createTemplate(route.status, route.message, { ...noSniff, ...caching, ...route.headers });
}

function createTemplate(status: number, message: string, headers: Headers): Template {
  const start = wrapStart(status, message);
  return { status, headers: listHeaders(headers), start, startLength: Buffer.byteLength(start) };
}

/**
 * Sends the reply of a handler.
 *
 * @param own The headers of this response only.
 * @param unread Limits the memory of long bodies.
 * @returns A promise for a response that is sent piece by piece.
 */
export function sendReply(
  response: ServerResponse,
  template: Template,
  reply: Reply,
  own: HeaderList,
  unread: UnreadBytes,
): Promise<void> | undefined {
  const headers = [...own, ...template.headers];
  if (reply.headers !== undefined) headers.push(...listHeaders(reply.headers));
  if (reply.tag !== undefined) headers.push('ETag', reply.tag);
  if ('body' in reply)
    return sendUnchanged(response, reply.status ?? template.status, reply.body, headers, unread);
  if ('pages' in reply) {
    const pages = reply.pages instanceof TextPages ? reply.pages : inEnvelope(template, reply.pages);
    return sendPages(response, template, pages, headers, unread);
  }
  if ('stream' in reply) return sendStream(response, template, reply, headers);
  if ('isNotModified' in reply || template.status === 204) {
    writeHead(response, 'isNotModified' in reply ? 304 : 204, headers).end();
    return undefined;
  }
  return sendEnvelope(response, template, reply.data, headers, unread);
}

function sendStream(
  response: ServerResponse,
  { status }: Template,
  { stream, drop }: StreamReply,
  headers: string[],
): Promise<void> | undefined {
  writeHead(response, status, headers);
  if (response.req.method !== 'HEAD') return stream(response);
  drop();
  response.end();
  return undefined;
}

/** The pages of an array in the envelope. */
function inEnvelope({ start }: Template, pages: AsyncIterable<string>): TextPages {
  const frame = { head: `${start}[`, between: ',', foot: () => `]${wrapEnd}` };
  return new TextPages('application/json', pages, frame);
}

/** Other code in the server of an embedder may have replaced `writeHead` by a function that does not accept lists. */
function writeHead(response: ServerResponse, status: number, headers: string[]): ServerResponse {
  if (response.writeHead === ServerResponse.prototype.writeHead) return response.writeHead(status, headers);
  const named: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2);
    named[name] = named[name] === undefined ? value : `${named[name]}, ${value}`;
  }
  return response.writeHead(status, named);
}

/** Sends text or bytes unchanged: bytes in one write, which may be shared by many responses. The headers give their type. */
function sendUnchanged(
  response: ServerResponse,
  status: number,
  data: string | Uint8Array,
  headers: string[],
  unread: UnreadBytes,
): Promise<void> | undefined {
  const length = Buffer.byteLength(data);
  headers.push('Content-Length', String(length));
  writeHead(response, status, headers);
  if (typeof data === 'string' && isLong(length) && response.req.method !== 'HEAD')
    return unread.end(response, data);
  response.end(data);
  return undefined;
}

/** Sends an envelope: in one write, unless it is a long text. */
function sendEnvelope(
  response: ServerResponse,
  template: Template,
  data: unknown,
  headers: string[],
  unread?: UnreadBytes,
): Promise<void> | undefined {
  const { pieces, byteLength } = data instanceof JsonText ? data : new JsonText(JSON.stringify(data));
  const length = template.startLength + byteLength + wrapEnd.length;
  headers.push('Content-Type', 'application/json', 'Content-Length', String(length));
  writeHead(response, template.status, headers);
  const [first] = pieces;
  if (pieces.length === 1 && typeof first === 'string') {
    const text = template.start + first + wrapEnd;
    if (unread !== undefined && isLong(length) && response.req.method !== 'HEAD')
      return unread.end(response, text);
    response.end(text);
    return undefined;
  }
  response.cork();
  for (const piece of [template.start, ...pieces]) response.write(piece);
  response.end(wrapEnd);
  response.uncork();
  return undefined;
}

/**
 * Sends the envelope of an error.
 *
 * @param hasDetails Whether it has a member `error`. The reasons of a 5xx are for the log alone.
 */
export function sendError(
  response: ServerResponse,
  error: ShelflistError,
  own: HeaderList,
  hasDetails: boolean,
): void {
  const { code, status, message } = wireErrorOf(error.code);
  const template = createTemplate(status, message, { ...noSniff, ...noStore, ...headersOf(error) });
  const isForClient = status < 500 && error.message !== message;
  const details = { code, details: isForClient ? error.message : null };
  const data = hasDetails ? new JsonText(`null,"error":${JSON.stringify(details)}`) : null; // A member beside `data`.
  void sendEnvelope(response, template, data, [...own, ...template.headers]);
}

/** What the headers of a response say about its error. */
export function headersOf(error: ShelflistError): Headers {
  const { code, status, message } = wireErrorOf(error.code);
  const { retryAfter, progress } = code === error.code ? error : new ShelflistError(code);
  return {
    ...(wireErrorCode(status, message) !== code && { 'X-Error-Code': code }),
    // An app may have made the error.
    ...(Number.isFinite(retryAfter) && { 'Retry-After': String(Math.max(1, Math.ceil(Number(retryAfter)))) }),
    ...(progress !== undefined && { 'X-Progress': String(progress) }),
    ...(status >= 500 && isOfDamage(error) && { 'X-Store': 'damaged' }),
    ...(error instanceof HttpError && error.headers),
  };
}

/** Sends a body page by page. Reads two pages first, so that a store that fails early gives an error response. */
async function sendPages(
  response: ServerResponse,
  { status }: Template,
  { contentType, pages, frame }: TextPages,
  headers: string[],
  unread: UnreadBytes,
): Promise<void> {
  headers.push('Content-Type', contentType);
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const second = first.done === true ? first : await iterator.next();
  if (first.done === true || second.done === true) {
    const page = first.done === true ? '' : first.value;
    return sendUnchanged(response, status, frame.head + page + frame.foot(page === ''), headers, unread);
  }
  writeHead(response, status, headers);
  try {
    if (response.req.method === 'HEAD') response.end();
    else
      await writePages(response, [first.value, second.value], iterator, frame, (text) =>
        unread.write(response, text),
      );
  } finally {
    await iterator.return?.();
  }
}

export type Headers = Readonly<Record<string, string>>;

/** Alternating names and values, the fastest form for node:http. Each name occurs once, except `Vary`. */
export type HeaderList = readonly string[];

/** For responses that must not be cached: errors, tokens, and momentary states. */
export const noStore: Headers = { 'Cache-Control': 'no-store' };

/** For responses that only their client may cache, and must revalidate before each use. */
const revalidated: Headers = { 'Cache-Control': 'private, no-cache' };

/** Browsers must not guess another `Content-Type`. */
export const noSniff: Headers = { 'X-Content-Type-Options': 'nosniff' };

/**
 * The `Link` to the next page of a request (RFC 8288). It is relative, so that it is valid behind any proxy.
 *
 * @param path The path of the request.
 */
export function linkToNext(path: string, query: string): { Link: string } {
  return { Link: `<${path.slice(path.lastIndexOf('/') + 1)}?${query}>; rel="next"` };
}

/** Makes text of a request safe in a response header: ASCII, without delimiters of links. */
export function encodeForHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]|[<>"\\]/g, (character) => encodeURIComponent(character));
}

function listHeaders(headers: Headers): HeaderList {
  return Object.entries(headers).flat();
}

const exposedHeaders =
  'Date, ETag, Link, X-Match, X-Total-Count, X-Request-Id, Retry-After, X-Progress, X-Store, X-Error-Code, Idempotency-Replayed';

/** The headers that let a page of this `Origin` read a response. */
export type CrossOrigin = (origin: string | undefined) => HeaderList;

/**
 * Implements the CORS protocol (Fetch standard, section 3.3) for these origins; `*` is every origin. Returns `undefined` if
 * there are none.
 */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const headersFor = (origin: string) =>
    listHeaders({
      'Access-Control-Expose-Headers': exposedHeaders,
      ...(origin !== '*' && { Vary: 'Origin' }),
      'Access-Control-Allow-Origin': origin,
    });
  if (origins.includes('*')) {
    const headers = headersFor('*');
    return () => headers;
  }
  const accepted = new Map(origins.map((origin) => [origin, headersFor(origin)]));
  // Refused origins get Vary too: a cache must not mix up their responses with those of accepted origins.
  const refused = listHeaders({ Vary: 'Origin' });
  return (origin) => accepted.get(origin ?? '') ?? refused;
}
