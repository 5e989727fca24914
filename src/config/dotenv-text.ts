import { isDeepStrictEqual } from 'node:util';

/** An assignment as dotenv reads it, except that a value without quotes goes on after `#`, where dotenv cuts it. */
const assignment =
  /^[^\S\n]*(?:export\s+)?([\w.-]+)(?:[^\S\n]*=[^\S\n]*?|:[^\S\n]+?)([^\S\n]*'(?:\\'|[^'])*'|[^\S\n]*"(?:\\"|[^"])*"|[^\S\n]*`(?:\\`|[^`])*`|[^\r\n]+)?[^\S\r\n]*(?:#[^\r\n]*)?(?=\r?$)/gm;

/**
 * The variables of a `.env` whose value without quotes has a `#` right after another character. dotenv takes the rest for a
 * comment, which is rarely meant: `AUTH_PASSWORD=abc#def` is `abc`. After a space, `#` begins a comment.
 */
export function findCutVariables(text: string): string[] {
  return [...text.matchAll(assignment)]
    .filter(([, , value = '']) => {
      const isQuoted = /^\s*(['"`])[^]*\1\s*$/.test(value);
      return !isQuoted && /^(?:[^#]*[^\s#])?#/.test(value);
    })
    .map(([, name = '']) => name);
}

/**
 * The text of a `.env` with another value of a variable. All other lines stay as they are.
 *
 * @returns `undefined` if no kind of quotes can hold the value.
 */
export async function replaceVariable(
  text: string,
  name: string,
  value: string,
): Promise<string | undefined> {
  const { parse } = await import('dotenv');
  const expected = { ...parse(text), [name]: value };
  const last = [...text.matchAll(assignment)].findLast((found) => found[1] === name);
  const [start, end] =
    last === undefined ? [text.length, text.length] : [last.index, last.index + last[0].length];
  const before = text.slice(0, start);
  const separator = last !== undefined || before === '' || before.endsWith('\n') ? '' : '\n';
  return ["'", '`', '"']
    .filter((quote) => !value.includes(quote))
    .map((quote) => `${before}${separator}${name}=${quote}${value}${quote}${text.slice(end) || '\n'}`)
    .find((changed) => isDeepStrictEqual(parse(changed), expected));
}
