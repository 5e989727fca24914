import { channel } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is shorter, or one character all along, is of a test about something else, and stands where it means nothing. */
const isSecret = (value: string) => value.length >= 8 && !/^(.)\1*$/.test(value);
const token = /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/;

/** Tells what a service within this process was given, and what it logs (`output-recorder.mjs`). */
export const ownSecrets = channel('shelflist.test.secret');
export const ownOutput = channel('shelflist.test.output');

/** Advice of `doctor`, which a test follows. */
const makesSecret = `\nnode -p "crypto.randomBytes(32).toString('hex')"`;

interface Written {
  /** Whose it is: its arguments. */
  args: readonly string[];
  /** What is searched. */
  text: string;
}

/** The kinds of the secrets, by each text that gives one away. */
function secretsOf(folder: string): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const line of linesOf(folder, '.secrets')) {
    const [kind, value] = JSON.parse(line) as [string, string];
    if (!isSecret(value)) continue;
    for (const text of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
      kinds.set(text, kind);
  }
  return kinds;
}

function linesOf(folder: string, ending: string): string[] {
  return namesOf(folder, ending).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
}

const namesOf = (folder: string, ending: string) =>
  readdirSync(folder).filter((name) => name.endsWith(ending));

function readWritten(path: string): Written {
  const text = readFileSync(path, 'utf8');
  const end = text.indexOf('\n');
  if (end === -1) return { args: [], text }; // It was killed before it had written the first line.
  const { by, args } = JSON.parse(text.slice(0, end)) as { by: string; args: string[] };
  const written = args.at(-1)?.endsWith(makesSecret) ? '' : text.slice(end);
  // A test's own commands no user's process list will hold, and an address that a user types there the program refuses.
  const listed = args.filter((_, i) => !/^(-d|--database-url)$/.test(args[i - 1] ?? ''));
  return { args, text: by === 'test' ? written : listed.join(' ') + written };
}

/** Searches all that the processes of a test run have written; `text` is what to tell of it, which is no secret. */
export function searchOutput(folder: string): { text: string; found: number } {
  const secrets = [...secretsOf(folder)];
  let bytes = 0;
  const finds: string[] = [];
  const names = namesOf(folder, '.output');
  for (const name of names) {
    const { args, text } = readWritten(join(folder, name));
    bytes += text.length;
    const kinds = secrets.filter(([secret]) => text.includes(secret)).map(([, kind]) => kind);
    if (token.test(text)) kinds.push('a token');
    if (kinds.length === 0) continue;
    const line = args.join(' ').replaceAll('\n', ' ');
    const who = secrets.reduce((text, [secret]) => text.replaceAll(secret, '…'), line);
    finds.push(`${[...new Set(kinds)].join(', ')} in the output of: ${who.replace(token, '…')}`);
  }
  const total = `output searched for secrets: ${bytes} bytes in ${names.length} outputs, ${finds.length} found\n`;
  return { text: [...finds.slice(0, 20), total].join('\n'), found: finds.length };
}
