import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './ask.ts';
import type { Request } from './workloads/requests.ts';

const source = join(import.meta.dirname, '../pocketbase');

/** The built program of `pocketbase/main.go`. */
export const pocketBaseProgram = join(import.meta.dirname, 'pocketbase');

export function isBuilt(): boolean {
  return existsSync(pocketBaseProgram);
}

/** Builds the program, which takes minutes the first time. Returns a sentence if it cannot be built. */
export function buildPocketBase(): string | undefined {
  const { status, stderr, error } = spawnSync('go', ['build', '-o', pocketBaseProgram, '.'], {
    cwd: source,
    encoding: 'utf8',
    env: {
      ...process.env,
      CGO_ENABLED: '0',
      // PocketBase needs this one; the `go` of the machine downloads it as a module, if it is older.
      GOTOOLCHAIN: 'go1.27.3',
    },
  });
  if (status === 0) return undefined;
  rmSync(pocketBaseProgram, { force: true }); // An older one would be measured instead.
  const reason = error === undefined ? stderr.trim().split('\n').at(-1) : 'there is no go; install Go';
  return `PocketBase is left out: ${reason}`;
}

const records = '/api/collections/books/records';

/** Translates a request of shelflist into one of PocketBase, whose ids have 15 characters. */
export function translate({ method, path, body }: Request): Request {
  const id = /^\/book\/(.+)$/.exec(path)?.[1];
  if (id !== undefined) {
    // The load generator replaces `{id}` by four digits.
    const record = id === '{id}' ? '0'.repeat(11) + id : id.padStart(15, '0');
    return {
      method: method === 'PUT' ? 'PATCH' : method,
      path: `${records}/${record}`,
      ...(body && { body }),
    };
  }
  const { searchParams } = new URL(path, 'http://localhost');
  const { q, sort, limit, yearFrom } = Object.fromEntries(searchParams);
  if (limit === undefined) return { method, path: records, ...(body && { body }) };
  const query = new URLSearchParams({ perPage: limit, skipTotal: '1' });
  if (sort !== undefined) query.set('sort', sort);
  if (q !== undefined) {
    // `~` searches for a part of a text, whatever its case.
    const conditions = q.split(' ').map((word) => `(title ~ '${word}' || author ~ '${word}')`);
    if (yearFrom !== undefined) conditions.push(`year >= ${yearFrom}`);
    query.set('filter', conditions.join(' && '));
  }
  return { method, path: `${records}?${query.toString().replace('%7Bid%7D', '{id}')}` };
}

/** Returns the headers of an authenticated request. */
export async function logInToPocketBase(
  url: string,
  { username, password }: { username: string; password: string },
): Promise<Record<string, string>> {
  const { body } = await ask(`${url}/api/collections/users/auth-with-password`, {
    method: 'POST',
    body: JSON.stringify({ identity: `${username}@example.com`, password }),
  });
  const { token } = JSON.parse(body) as { token: string };
  return { Authorization: token };
}
