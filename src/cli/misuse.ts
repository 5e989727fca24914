import { withoutValue } from './io.ts';

/** What many look for under another name. */
const finding =
  /^(unknown command '(?:search|find)'|unknown option '--search')(?:\n\(Did you mean [^\n]*\?\))?/;

/** What commander says of a command line that makes no sense, as we say it. */
export function misuseText(message: string): string {
  return withoutValue(message)
    .replace(/^error: /, '')
    .replace(finding, '$1\n(Books are found with `list`: shelflist list WORDS)');
}
