import { defaultServiceUrl } from '../client/options.ts';
import { clientVariables } from '../config/settings.ts';
import { describeVariables } from '../config/describe-settings.ts';
import { type ColumnPart, columnParts } from '../import/column-parts.ts';
import { importHeaders } from '../import/headers.ts';
import { wrapText } from '../lib/wrap-text.ts';
import { paragraph } from './io.ts';

/** The topics that `help` explains besides the commands. */
export const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit statuses

  0     done
  1     failed: the command could not do its work, or not all of it: \`import\` left out
        rows of the file, \`change\`, \`delete\` or \`undo\` skipped books changed meanwhile
  2     usage: the command line is invalid, or needs --yes without a terminal
  3     not found: the book, its version or the batch does not exist
  4     not logged in, or refused: run \`shelflist login\`
  5     service or network: the service cannot be reached, or failed
  130   interrupted by Ctrl-C, SIGTERM or a closed terminal
`,
  environment: `Environment variables of client commands

${describeVariables([
  ...Object.values(clientVariables),
  { variable: 'VISUAL, EDITOR', help: 'The editor that `shelflist edit` opens.' },
  {
    variable: 'PAGER',
    help: 'The program for results that are longer than the screen. Default: less. `cat`: no pager.',
  },
  { variable: 'COLUMNS', help: 'The width of tables and help texts. Default: that of the terminal.' },
  { variable: 'NO_COLOR', help: 'Any value: no colours.' },
  { variable: 'XDG_CACHE_HOME', help: 'The folder below which tokens are stored, on Linux.' },
])}
SHELFLIST_URL_FILE, SHELFLIST_USERNAME_FILE and SHELFLIST_PASSWORD_FILE name files that
hold the value. SHELFLIST_TOKEN and SHELFLIST_PASSWORD are sent only to the service in
SHELFLIST_URL; if that is not set, to the one in --url, else to ${defaultServiceUrl}.
The password in the .env of this folder is sent only to the service in its SHELFLIST_URL,
else to that of its HOST, PORT, PREFIX and TLS_CERT.
For the variables of the service, see \`shelflist serve --help\`. \`shelflist config show\`
shows what is set, and where.
`,
  formats: `Formats of results

  --format table    columns that fit the terminal; longer cells are truncated
  --format json     JSON, an array of records (the same as --json); --json id,title
                    chooses fields
  --format ndjson   one line of JSON per record
  --format csv      CSV (RFC 4180, UTF-8), with a header line
  --format tsv      the same, with tabs

The default is a table on a terminal, and tab-separated lines in a pipe: without a
header, and stable across versions. Both replace control characters by spaces; JSON,
NDJSON and CSV preserve every character. On a terminal they escape them: \\u001b.

Times in tables and messages are in your time zone: 2026-11-21 09:12:03. The other
formats have RFC 3339 in UTC: 2026-11-21T08:12:03.000Z.

On a terminal, results that are longer than the screen are shown in the program that
PAGER names, else in less. All commands take --no-pager, and --width COLUMNS for tables.

Standard output has results only. With --json, errors are JSON too, on standard error:
{"error":{"code":"book_not_found","message":"…"}}
`,
  columns: `Columns of an imported file

${paragraph(
  '`shelflist import` finds the column of a field by its name in CSV and JSON. If a file has several of these, the first in ' +
    'the list counts. Case, accents and punctuation do not matter. --map names another column.',
)}
${columnParts.map(describeHeaders).join('\n\n')}
`,
};

export const topicNames = Object.keys(topics);

function describeHeaders(name: ColumnPart): string {
  const lines = wrapText(importHeaders[name].headers.join(', '), 78).map((line) => `  ${line}`);
  return [name, ...lines].join('\n');
}
