// The rules of the orders by title and author, and how far the keys of books are made anew.
import { defaultRules, parseRules, type SortRules } from '../../catalogue/sort-keys.ts';
import { foldingVersion } from '../../catalogue/words.ts';
import { sameVersion } from '../questions/duplicates.ts';
import type { Statements } from './connection.ts';

/** The number of the rules of `index-entry.ts`, beside those of words and keys. 2: years are no words. */
const entryVersion = 2;

/** Names the rules of all that is stored for searching and sorting. */
export function indexVersion({ name }: SortRules): string {
  return `${entryVersion}-${foldingVersion}-${sameVersion}-${name}`;
}

/** The last rules that were read: they seldom change. */
let last: { readonly json: string; readonly rules: SortRules } | undefined;

/** The rules by which this file orders books. */
export function readRules(statements: Statements): SortRules {
  const [json] = statements.row('SELECT sort_rules FROM meta') ?? [];
  if (typeof json !== 'string') return defaultRules;
  if (last?.json !== json) last = { json, rules: parseRules(json) ?? defaultRules };
  return last.rules;
}

/** The last book whose words and keys were made by the present rules; `undefined`: all were. */
export function readIndexedTo(statements: Statements): number | undefined {
  const [folding, indexedTo] = statements.row('SELECT folding, folded_to FROM meta') ?? [];
  if (folding !== indexVersion(readRules(statements))) return 0;
  return indexedTo === null ? undefined : Number(indexedTo);
}

/** Whether the words and keys of all books were made by the present rules. */
export function isReindexed(statements: Statements): boolean {
  return readIndexedTo(statements) === undefined;
}

/** Names the order of the keys. While keys are made again it changes with each step, because books move. */
export function readOrderName(statements: Statements): string {
  const indexedTo = readIndexedTo(statements);
  const { name } = readRules(statements);
  return indexedTo === undefined ? name : `${name}.${indexedTo}`;
}
