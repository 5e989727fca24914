// Searches that a reader keeps in this browser, each with its filters, its order and a name.
import type { BookQuery } from '../../catalogue/query.ts';
import { formatQuery } from '../../api/query-string.ts';
import { pageParameters } from '../../api/queries.ts';
import { parseRoute } from './navigation.ts';
import { asObject, createSignal, readJson, writeJson } from './signal.ts';

export interface SavedSearch {
  readonly name: string;
  readonly query: BookQuery;
}

const key = 'searches';
/** The maximum number of saved searches, for a short list of views. */
const maxSaved = 20;
/** The maximum length of a name, in characters. */
export const maxNameLength = 60;
/** The maximum length of a query string, in characters. A longer search is not kept. */
const maxLength = 2000;

/** In the order in which they were saved. */
export const savedSearches = createSignal<readonly SavedSearch[]>(readAll());

/** Keeps a search under a name, instead of an earlier one of that name; of too many, the newest remain. */
export function saveSearch(name: string, query: BookQuery): void {
  const text = name.trim().slice(0, maxNameLength);
  if (text === '' || addressOf(query).length > maxLength) return;
  set([...others(text), { name: text, query }].slice(-maxSaved));
}

export function forgetSearch(name: string): void {
  set(others(name));
}

/** Whether two queries show the same books in the same order. */
export function isSameSearch(a: BookQuery, b: BookQuery): boolean {
  return addressOf(a) === addressOf(b);
}

const addressOf = (query: BookQuery) => formatQuery(query, pageParameters);
const others = (name: string) => readAll().filter((each) => each.name !== name);

function set(next: readonly SavedSearch[]): void {
  const stored = next.map(({ name, query }) => ({ name, address: addressOf(query) }));
  writeJson(key, stored.length === 0 ? undefined : stored, 'localStorage');
  savedSearches.set(next);
}

/** Reads the stored searches, and drops what another version or program wrote. */
function readAll(): SavedSearch[] {
  const stored = readJson(key, 'localStorage');
  return (Array.isArray(stored) ? stored : []).slice(-maxSaved).flatMap((each: unknown) => {
    const { name, address } = asObject(each);
    if (typeof name !== 'string' || typeof address !== 'string' || name.trim() === '') return [];
    if (name.length > maxNameLength || address.length > maxLength) return [];
    return [{ name, query: parseRoute(address).query }];
  });
}
