import { channel } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Shorter secrets, and those of one repeated character, come from other tests and also occur in text by chance. */
const isSecret = (value: string) => value.length >= 8 && !/^(.)\1*$/.test(value);
const token = /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/;

/**
 * The secrets and output of services and commands within this process. `output-recorder.mjs` records them as it does for
 * separate processes.
 */
export const ownSecrets = channel('shelflist.test.secret');
export const ownOutput = channel('shelflist.test.output');
export const ownCommands = channel('shelflist.test.command');

/** Advice of `doctor`, which a test follows. */
const makesSecret = `\nnode -p "crypto.randomBytes(32).toString('hex')"`;

interface Written {
  /** The arguments of the process. */
  args: readonly string[];
  /** The searched text. */
  text: string;
}

/** The kinds of secrets, by each text that reveals one. */
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
  if (end === -1) return { args: [], text }; // Killed before it had written the first line.
  const { by, args } = JSON.parse(text.slice(0, end)) as { by: string; args: string[] };
  const written = args.at(-1)?.endsWith(makesSecret) ? '' : text.slice(end);
  // Commands of tests never appear in a user's process list, and the program refuses addresses with a password there.
  const listed = args.filter((_, i) => !/^(-d|--database-url)$/.test(args[i - 1] ?? ''));
  return { args, text: by === 'test' ? written : listed.join(' ') + written };
}

/** Searches all output of a test run for secrets; `text` is the report, which repeats none. */
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
