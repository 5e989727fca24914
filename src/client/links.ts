import { ShelflistError } from '../errors.ts';

const token = /[!#$%&'*+.^_`|~\w-]+/.source;
const parameter = `[\\t ]*;[\\t ]*(${token})(?:[\\t ]*=[\\t ]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?`;

/**
 * The cursor of the next page, from a header `Link` (RFC 8288); `undefined` when there is no next page. Nothing else
 * of the link counts: where the next request goes is not for the answer to say.
 *
 * @throws {ShelflistError} `bad_response`: there is a next page, but no cursor for it.
 */
export function findNextCursor(header: string | undefined): string | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(
    new RegExp(`<([^<>]*)>((?:${parameter})*)`, 'g'),
  )) {
    if (!isNext(parameters)) continue;
    const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(target) ?? [];
    const cursor = new URLSearchParams(query).get('after');
    if (cursor) return cursor;
    throw new ShelflistError('bad_response', {
      message: "the server's answer has a link to a next page, but no cursor in it",
    });
  }
  return undefined;
}

/** Whether a link's parameters make it one to what comes next here, and not (`anchor`) elsewhere. */
function isNext(parameters: string): boolean {
  const values = new Map<string, string>();
  for (const [, name = '', bare, quoted = ''] of parameters.matchAll(new RegExp(parameter, 'g'))) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, bare ?? quoted.replace(/\\(.)/g, '$1')); // The first one counts.
  }
  const relations = values
    .get('rel')
    ?.toLowerCase()
    .split(/[\t ]+/);
  return relations?.includes('next') === true && !values.has('anchor');
}
