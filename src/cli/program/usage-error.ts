import { withoutValue } from '../io.ts';

/** Names that users guess for `list`. */
const finding = /^unknown (?:command '(?:search|find)'|option '--search')/;

/** Commands to which users pass a title as argument. */
const takesFields = / (?:add|update)$/;

/** Errors of commander, and their replacement: what failed, why, and how to fix it. */
const rewordings: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(.+)\n\(Did you mean (.+\?)\)$/, '$1: did you mean $2'],
  [/^option '(?:-\w, )?(\S+)[^']*' argument ('[^]*') is invalid\. ([^]+)$/, 'invalid $1 $2: $3'],
  [/^command-argument value ('[^]*') is invalid for argument '(.+?)'\. ([^]+)$/, 'invalid <$2> $1: $3'],
  [/^option '(?:-\w, )?(\S+)(.*)' argument missing$/, 'missing value of $1: expected $1$2'],
  [
    /^option '(?:-\w, )?(\S+).*' cannot be used with option '(?:-\w, )?(\S+).*'$/,
    '$1 cannot be used with $2: leave one of them out',
  ],
  [/^missing required argument '(.+)'$/, 'missing argument <$1>; see HELP'],
  [
    /^too many arguments.*\. Expected (\d+) .+ got (\d+)\.$/,
    'too many arguments: expected $1, got $2; ADVICEsee HELP',
  ],
];

/**
 * Rewords an error of commander about an invalid command line.
 *
 * @param command The words that run the command: `shelflist config show`.
 */
export function usageErrorText(message: string, command: string): string {
  const help = `\`${command} --help\``;
  const text = withoutValue(message)
    .replace(/^error: /, '')
    .replace(/Allowed choices are (.+)\.$/, 'expected one of $1');
  const [what] = finding.exec(text) ?? [];
  if (what !== undefined) return `${what}: to find books, use \`shelflist list WORDS\``;
  const advice = takesFields.test(command) ? 'name the fields, such as --title; ' : '';
  const [pattern, reworded] = rewordings.find(([each]) => each.test(text)) ?? [/$/, '; see HELP'];
  return text.replace(pattern, reworded.replace('ADVICE', advice).replace('HELP', help));
}
