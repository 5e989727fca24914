// Query strings: read by the server, written by clients, from the same shapes of parameters.
import { ArgumentError, ShelflistError } from '../catalogue/errors.ts';
import type { Shape, Shapes, ValueOf } from './shapes.ts';

type QueryOf<Parameters extends Shapes> = {
  -readonly [Name in keyof Parameters]?: ValueOf<Parameters[Name]> | undefined;
};

/**
 * Reads a query string (without `?`).
 *
 * @throws {ShelflistError} `invalid_query`: a parameter is unknown, repeated or malformed.
 */
export function readQuery<Parameters extends Shapes>(
  text: string,
  parameters: Parameters,
): QueryOf<Parameters> {
  const query: Record<string, unknown> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) throw invalid(name, 'unknown parameter');
    if (Object.hasOwn(query, name)) throw invalid(name, 'repeated parameter');
    const value = readValue(parameter, equals === -1 ? '' : decode(pair.slice(equals + 1)));
    if (value === undefined) throw invalid(name, 'malformed value');
    query[name] = value;
  }
  return query as QueryOf<Parameters>;
}

/** The value of a parameter; `undefined` if the text has not its shape. Numbers are canonical decimals. */
export function readValue<Value>({ schema, parse }: Shape<Value>, text: string): Value | undefined {
  if (!text.isWellFormed()) return undefined;
  const isNumber = schema.type === 'integer' && /^(0|-?[1-9][0-9]{0,15})$/.test(text);
  const isFlag = schema.type === 'boolean' && /^(true|false)$/.test(text);
  return parse(isNumber ? Number(text) : isFlag ? text === 'true' : text);
}

/**
 * A query as a query string, without `?`. The empty query gives the empty string.
 *
 * @throws {TypeError} The query is not an object, or it has an unknown member or one of the wrong type. Ignoring that would
 * match other books.
 */
export function formatQuery(query: object, parameters: Shapes): string {
  if (typeof query !== 'object' || query === (null as unknown) || Array.isArray(query))
    throw new ArgumentError('query: expected an object such as { limit }');
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) throw new ArgumentError(`query.${unknown}: unknown member`);
  const result = new URLSearchParams();
  for (const [name, { schema }] of Object.entries(parameters)) {
    const value = (query as Record<string, string | number | boolean | undefined>)[name];
    if (value === undefined) continue;
    const type = schema.type === 'integer' ? 'number' : schema.type;
    if (typeof value !== type) throw new ArgumentError(`query.${name}: expected a ${String(type)}`);
    const text = String(value);
    if (!text.isWellFormed()) throw new ArgumentError(`query.${name}: it contains half a surrogate pair`);
    result.set(name, text);
  }
  return result.toString();
}

/**
 * A query string with another cursor, safe for a `Link` header. The rest keeps its spelling, because another might be too
 * long to send.
 */
export function withCursor(queryString: string, cursor: string): string {
  const rest = queryString
    .split('&')
    .filter((pair) => pair !== '' && decode(pair.split('=', 1)[0] ?? '') !== 'after')
    .map((pair) => pair.replace(/[<>"\\]/g, encodeURIComponent));
  return [...rest, `after=${cursor}`].join('&');
}

/** Percent-encoded UTF-8; `+` is a space. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ShelflistError('invalid_query', { message: 'the query is not percent-encoded UTF-8', cause });
  }
}

function invalid(name: string, problem: string): ShelflistError {
  return new ShelflistError('invalid_query', { message: `${JSON.stringify(name)}: ${problem}` });
}
