import { withoutValue } from '../io.ts';

/** Names that users guess for `list`. */
const finding = /^unknown (?:command '(?:search|find)'|option '--search')/;

/** Options that users pass as an argument, by what the argument looks like. */
const meant: readonly (readonly [pattern: RegExp, flags: readonly string[]])[] = [
  [/:\/\/|^localhost\b|:[0-9]+$/, ['--url']],
  [/^[0-9]+$/, ['--port', '--limit']],
  [/[./\\]/, ['--draft', '--rejects']],
  [/^/, ['--title', '--username', '--words']],
];

/** Errors of commander, and their replacement: what failed, why, and how to fix it. */
const rewordings: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(unknown option '--(?:order|order-by|sort-by|orderby)')[^]*$/, '$1: did you mean --sort?'],
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
    'too many arguments: expected $1, got $2; see HELPADVICE',
  ],
];

/** The command line of a usage error. */
export interface UsageContext {
  /** The words that run the command: `shelflist config show`. */
  readonly command: string;
  /** The long names of its options. */
  readonly flags: readonly string[];
  /** The first argument that is too many. It may be a password, and is not shown. */
  readonly extra: string | undefined;
}

/** Rewords an error of commander about an invalid command line. */
export function usageErrorText(message: string, { command, flags, extra }: UsageContext): string {
  const help = `\`${command} --help\``;
  const text = withoutValue(message)
    .replace(/^error: /, '')
    .replace(/Allowed choices are (.+)\.$/, 'expected one of $1');
  const [what] = finding.exec(text) ?? [];
  if (what !== undefined) return `${what}: to find books, use \`shelflist list WORDS\``;
  const wanted = meant.find(([pattern]) => extra !== undefined && pattern.test(extra))?.[1];
  const flag = wanted?.find((each) => flags.includes(each));
  const advice = flag === undefined ? '' : `; did you mean ${flag}?`;
  const [pattern, reworded] = rewordings.find(([each]) => each.test(text)) ?? [/$/, '; see HELP'];
  return text.replace(pattern, reworded.replace('ADVICE', advice).replace('HELP', help));
}
