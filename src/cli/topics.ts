/** What `help` explains besides the commands. */
export const topics: Readonly<Record<string, string>> = {
  'exit-codes': `How a command ended

  0     done
  1     failed: what was asked for could not be done; rows of a file were left out
  2     usage: the command line makes no sense, or needs --yes where nobody can be asked
  3     not found: there is no such book
  4     not logged in, or refused: run \`shelflist login\`
  5     server or network: it cannot be reached, or failed
  130   interrupted with Ctrl-C
`,
  environment: `What a command takes from its environment

  SHELFLIST_URL        the service (that of .env, else http://127.0.0.1:8080)
  SHELFLIST_USERNAME   the user whose login to use
  SHELFLIST_PASSWORD   with it: commands log in by themselves
  SHELFLIST_TOKEN      a token; it wins over the one that login kept
  VISUAL, EDITOR       what \`shelflist edit\` opens
  NO_COLOR             any value: no colours
  XDG_CACHE_HOME       the folder below which tokens are kept, on Linux

SHELFLIST_URL_FILE, SHELFLIST_USERNAME_FILE and SHELFLIST_PASSWORD_FILE name files that
hold the value. If SHELFLIST_URL is set, token and password go only to that service;
else to the one in --url, or to http://127.0.0.1:8080. The .env in this folder says
where commands find the service: its SHELFLIST_URL, else its HOST and PORT. Its
password goes only to that service, and nothing in the environment changes that.
What \`shelflist serve\` takes is in its own help. \`shelflist config show\` shows what is
set, and where.
`,
  formats: `How results are written

  --format table    columns that fit the terminal; what does not fit is cut off
  --format json     JSON (the same as --json)
  --format ndjson   a line of JSON a record
  --format csv      CSV (RFC 4180, UTF-8), with a line of names in front

Without --format it is a table on a terminal, and in a pipe lines with tabs between:
plain, with no heading, and the same from version to version. Characters that could
steer a terminal are spaces in both; JSON, NDJSON and CSV give every character.

Standard output carries results only. With --json, errors are JSON too, on standard
error: {"error":{"code":"book_not_found","message":"…"}}
`,
};

export const topicNames = Object.keys(topics);
