import type { IncomingMessage } from 'node:http';

/** A body parser, as a framework calls it before the handler; rejects with what it answers itself. */
export type BodyParser = (request: IncomingMessage & { body?: unknown }) => Promise<void>;

/**
 * Does what the package body-parser does: a body of another type, or none at all, is left in the stream; else the stream is
 * consumed, and `request.body` is set.
 *
 * @param types The `Content-Type`s that it reads; `undefined`: every one.
 */
function createParser(types: RegExp | undefined, parse: (body: Buffer) => unknown): BodyParser {
  return async (request) => {
    const { headers } = request;
    if (request.body !== undefined && request.readableEnded) return; // Another parser was first.
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    if (types !== undefined && !types.test(headers['content-type'] ?? '')) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request.iterator({ destroyOnReturn: false })) chunks.push(chunk as Buffer);
    request.body = parse(Buffer.concat(chunks));
  };
}

/** `express.json()`: an empty body becomes `{}`, and bytes that are not UTF-8 become U+FFFD. */
export const json = createParser(/^application\/json/, (body) =>
  body.length === 0 ? {} : JSON.parse(body.toString()),
);

/** `express.urlencoded()`. */
export const urlencoded = createParser(/^application\/x-www-form-urlencoded/, (body) =>
  Object.fromEntries(new URLSearchParams(body.toString())),
);

/** `express.text({ type: '*\/*' })`. */
export const text = createParser(undefined, (body) => body.toString());

/** `express.raw({ type: '*\/*' })`. */
export const raw = createParser(undefined, (body) => body);

/** Version 1 of body-parser leaves `{}` where it did not parse. */
export const emptyObject: BodyParser = (request) => {
  request.body ??= {};
  return Promise.resolve();
};

/** The pages API of Next: it reads every body, even an empty one, and parses it by its type. */
export const nextPages: BodyParser = async (request) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request.iterator({ destroyOnReturn: false })) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const type = (request.headers['content-type'] ?? 'text/plain').split(';', 1)[0];
  if (type === 'application/json') request.body = body.length === 0 ? {} : JSON.parse(body.toString());
  else if (type === 'application/x-www-form-urlencoded')
    request.body = Object.fromEntries(new URLSearchParams(body.toString()));
  else request.body = type === 'text/plain' ? body.toString() : body;
};

/** `multer` and its like: the stream is consumed, and its parts are in an object. */
export const multipart = createParser(undefined, () => ({}));
