import { InvalidArgumentError } from 'commander';

/** Names for delimiters that a shell would take for its own. */
const names: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  '\\t': '\t',
  pipe: '|',
};

/** The help text of `--delimiter`. */
export const delimiterHelp = 'the separator of CSV: a character, or comma, semicolon, tab or pipe';

/** Parses the delimiter of CSV. A letter, a digit or a quote could not be distinguished from what is in the cells. */
export function parseDelimiter(value: string): string {
  const delimiter = names[value.toLowerCase()] ?? value;
  if (/^[^\p{L}\p{N}\p{M}"'\r\n.-]$/u.test(delimiter)) return delimiter;
  throw new InvalidArgumentError('expected one character, or comma, semicolon, tab or pipe');
}
