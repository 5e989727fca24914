import { ShelflistError } from '../catalogue/errors.ts';

const token = /[!#$%&'*+.^_`|~\w-]+/.source;
const parameter = `[\\t ]*;[\\t ]*(${token})(?:[\\t ]*=[\\t ]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?`;

/**
 * The cursor of the next page in a `Link` header (RFC 8288); `undefined` on the last page. The rest of the link is ignored,
 * because a response must not decide where the next request goes.
 *
 * @throws {ShelflistError} `bad_response`: the link to the next page has no cursor.
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
      message: "the server's response links to a next page without a cursor",
    });
  }
  return undefined;
}

/** Whether the parameters of a link are those of the next page of this resource, not of another one (`anchor`). */
function isNext(parameters: string): boolean {
  const values = new Map<string, string>();
  for (const [, name = '', bare, quoted = ''] of parameters.matchAll(new RegExp(parameter, 'g'))) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, bare ?? quoted.replace(/\\(.)/g, '$1')); // Of repeated parameters, the first counts.
  }
  const relations = values
    .get('rel')
    ?.toLowerCase()
    .split(/[\t ]+/);
  return relations?.includes('next') === true && !values.has('anchor');
}
