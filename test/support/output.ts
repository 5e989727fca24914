import { channel } from 'node:diagnostics_channel';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
  /** When the output up to this place was written. */
  timeOf: (place: number) => number;
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
  return recordsOf(folder, ending).flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean));
}

function readWritten(path: string): Written {
  const text = readFileSync(path, 'utf8');
  const end = text.indexOf('\n');
  if (end === -1) return { args: [], text, timeOf: () => 0 }; // Killed before it had written the first line.
  const { by, args, at = 0 } = JSON.parse(text.slice(0, end)) as { by: string; args: string[]; at?: number };
  const written = args.at(-1)?.endsWith(makesSecret) ? '' : text.slice(end);
  // Commands of tests never appear in a user's process list, and the program refuses addresses with a password there.
  const listed = args.filter((_, i) => !/^(-d|--database-url)$/.test(args[i - 1] ?? ''));
  const searched = by === 'test' ? written : listed.join(' ') + written;
  const timeOf = (place: number) => {
    let left = Buffer.byteLength(searched.slice(searched.length - written.length, place)) - 1;
    for (const [time, length] of timesOf(path)) if ((left -= length) < 0) return time;
    return at;
  };
  return { args, text: searched, timeOf };
}

/** When the parts of an output were written, and how many bytes they have. */
function timesOf(path: string): [time: number, length: number][] {
  const times = `${path}.times`;
  const lines = existsSync(times) ? readFileSync(times, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => JSON.parse(line) as [number, number]);
}

/** Searches all output of a test run for secrets; `text` is the report, which repeats none. */
export function searchOutput(folder: string): { text: string; found: number } {
  const secrets = [...secretsOf(folder)];
  let bytes = 0;
  const finds: string[] = [];
  const paths = recordsOf(folder, '.output');
  for (const path of paths) {
    const { args, text, timeOf } = readWritten(path);
    bytes += text.length;
    const found = secrets.filter(([secret]) => text.includes(secret));
    const kinds = found.map(([, kind]) => kind);
    if (token.test(text)) kinds.push('a token');
    if (kinds.length === 0) continue;
    const [[secret] = []] = found;
    const place = secret === undefined ? text.search(token) : text.indexOf(secret);
    const where = testsAt(path, timeOf(place));
    const line = args.join(' ').replaceAll('\n', ' ');
    const who = secrets.reduce((text, [secret]) => text.replaceAll(secret, '…'), line);
    finds.push(`${[...new Set(kinds)].join(', ')} in the output of: ${who.replace(token, '…')}, ${where}`);
  }
  const total = `output searched for secrets: ${bytes} bytes in ${paths.length} outputs, ${finds.length} found\n`;
  return { text: [...finds.slice(0, 20), total].join('\n'), found: finds.length };
}

/** The paths of the records with this ending: `test-recorder.mjs` gives each process of the runner a folder. */
export function recordsOf(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

interface NotedTest {
  name: string;
  /** The script of its process. */
  file: string;
  /** When it started, in milliseconds. */
  at: number;
}

/** The tests that run, or ran at some time, from the notes of one process; and the last test that began or ended before. */
export function runningTests(
  notes: string,
  time = Infinity,
): { running: NotedTest[]; last: NotedTest | undefined } {
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [];
  const running = new Map<string, NotedTest>();
  let last: NotedTest | undefined;
  for (const line of lines.filter(Boolean)) {
    const [at, event, name, file] = JSON.parse(line) as [number, string, string, string];
    if (at > time) break;
    last = { name, file, at };
    if (event === 'start') running.set(name, last);
    else running.delete(name);
  }
  return { running: [...running.values()], last };
}

/** Names the tests during which a line of this record was written. */
export function testsAt(record: string, time: number): string {
  const { running, last } = runningTests(join(dirname(record), 'tests'), time);
  const all = running.map(({ name }) => name);
  const names = all.filter((name) => !all.some((other) => other.startsWith(`${name} > `)));
  if (names.length > 0) return `in the test ${names.join(', or ')}`;
  return last === undefined ? 'before the first test' : `after the test ${last.name}`;
}
