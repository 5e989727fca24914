import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The paths of the records with this ending: `test-recorder.mjs` gives each process of the runner a folder. */
export function recordsOf(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/** Names the tests during which a line of this record was written. */
export function testsAt(record: string, time: number): string {
  const path = join(dirname(record), 'tests');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  const running = new Set<string>();
  let last: string | undefined;
  for (const line of lines) {
    const [at, event, name] = JSON.parse(line) as [number, string, string];
    if (at > time) break;
    if (event === 'start') running.add(name);
    else running.delete(name);
    last = name;
  }
  const names = [...running].filter((name) => ![...running].some((other) => other.startsWith(`${name} > `)));
  if (names.length > 0) return `in the test ${names.join(', or ')}`;
  return last === undefined ? 'before the first test' : `after the test ${last}`;
}
