import { oneLine } from '../text/title.ts';
import { texToText } from './tex.ts';

/** Reads a list of names: `Hunt, Andrew and Thomas, David` or `Andrew Hunt and {Free Software Foundation}`. */
export function readNames(tex: string): string[] {
  return splitOutside(tex, /\sand(?=\s)/y)
    .map((name) => readName(name.trim()))
    .filter((name) => name !== 'others');
}

/** A name in natural order. */
function readName(tex: string): string {
  const parts = splitOutside(tex, /,/y).map((part) => texToText(part));
  const named = readNamedParts(parts);
  if (named !== undefined) return named;
  const [last = '', second = '', ...rest] = parts;
  // "von Last, First" and "von Last, Jr, First"
  return oneLine(rest.length === 0 ? `${second} ${last}` : `${rest.join(' ')} ${last} ${second}`);
}

/** The extended format of BibLaTeX: `family=Hunt, given=Andrew`. */
function readNamedParts(parts: readonly string[]): string | undefined {
  const members = new Map<string, string>();
  for (const part of parts) {
    const [, name = '', value = ''] = /^([a-z-]+)\s*=\s*"?(.*?)"?$/.exec(part) ?? [];
    if (name === '') return undefined;
    members.set(name, value);
  }
  return oneLine(['given', 'prefix', 'family', 'suffix'].map((name) => members.get(name) ?? '').join(' '));
}

/** Splits at a sticky pattern, outside braces. */
function splitOutside(tex: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < tex.length; at++) {
    const character = tex[at];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    if (depth > 0) continue;
    separator.lastIndex = at;
    if (!separator.test(tex)) continue;
    parts.push(tex.slice(start, at));
    start = separator.lastIndex;
    at = start - 1;
  }
  return [...parts, tex.slice(start)];
}
