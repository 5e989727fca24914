// Finds the spellings of one name among all authors of a store, in pieces that leave the event loop to other work.
import {
  abbreviates,
  compareSpellings,
  formOf,
  givenNameOf,
  groupKey,
  isNameTypo,
  type GivenName,
} from '../catalogue/author-variants.ts';
import type { AuthorCount } from '../catalogue/authors.ts';
import { DisjointSets } from './disjoint-sets.ts';
import { nearPairs } from './near-pairs.ts';
import { sortInSlices } from '../lib/sort-in-slices.ts';
import { forEachYielding, type PrioritySignal } from '../lib/scheduler.ts';

/** The maximum number of names that one is compared with, and of names with one last name and initial: of so many, several are full names. */
const maxCompared = 300;

/** The part of the time that reading the authors takes. */
const readPart = 0.6;

/** All spellings, compactly: there may be a million. */
interface Spellings {
  readonly authors: readonly string[];
  readonly counts: readonly number[];
}

/** No name is longer. Longer texts are ignored, because comparing them would take long. */
const maxNameLength = 300;

interface Finding {
  readonly signal: PrioritySignal;
  /** About how many books there are, for the progress. */
  readonly total: number;
  readonly onProgress: (fraction: number) => void;
}

/** The groups of at least two spellings of one name, by name; in each, the spelling with the most books comes first. */
export async function findAuthorVariants(
  all: AsyncIterable<readonly AuthorCount[]>,
  { signal, total, onProgress }: Finding,
): Promise<AuthorCount[][]> {
  const [authors, counts]: [string[], number[]] = [[], []];
  let done = 0;
  for await (const some of all) {
    signal.throwIfAborted();
    for (const { author, count } of some) {
      done += count;
      if (author.length > maxNameLength) continue;
      authors.push(author);
      counts.push(count);
    }
    onProgress(readPart * Math.min(1, done / Math.max(1, total)));
  }
  const step = (i: number) => {
    onProgress(readPart + ((1 - readPart) * i) / 4);
  };
  const sets = new DisjointSets();
  const spellings = { authors, counts };
  const names = await joinSameWords(spellings, sets, signal);
  step(1);
  const spoken = names.map((name) => name.spoken);
  const isNear = (i: number, j: number) => isNameTypo(spoken[i] ?? '', spoken[j] ?? '');
  const typos = await nearPairs(spoken, { isNear, maxFollowers: maxCompared, signal });
  step(3);
  await joinTypos(typos, names, sets, signal);
  await joinInitials(spellings, names, sets, signal);
  step(4);
  const groups: AuthorCount[][] = [];
  const addGroup = (group: readonly number[]) => {
    const found = group.map((i) => ({ author: authors[i] ?? '', count: counts[i] ?? 0 }));
    groups.push(found.sort(compareSpellings));
  };
  await forEachYielding(sets.toArrays(), addGroup, signal);
  return sortGroups(groups, signal);
}

/** A name: all spellings with the same words. */
interface Name {
  /** The first of its spellings. */
  readonly at: number;
  /** The spoken form of the spelling that has the most books. */
  readonly spoken: string;
  /** The number of all its books. */
  readonly count: number;
}

/** Joins the spellings with the same words, in any order, and initials however they are written. */
async function joinSameWords(
  { authors, counts }: Spellings,
  sets: DisjointSets,
  signal: PrioritySignal,
): Promise<Name[]> {
  const words: string[] = [];
  await forEachYielding(authors, (author) => words.push(formOf(author).words), signal);
  const order = await sortInSlices(words, signal);
  const names: Name[] = [];
  let open: { text: string; at: number; best: number; count: number } | undefined;
  const close = () => {
    if (open === undefined) return;
    names.push({ at: open.at, spoken: formOf(authors[open.best] ?? '').spoken, count: open.count });
  };
  const join = (i: number) => {
    const [text = '', count = 0] = [words[i], counts[i]];
    if (open?.text === text && text !== '') {
      sets.join(open.at, i);
      if (count > (counts[open.best] ?? 0)) open.best = i;
      open.count += count;
    } else {
      close();
      open = { text, at: i, best: i, count };
    }
  };
  await forEachYielding(order, join, signal);
  close();
  return names;
}

type Pair = readonly [a: number, b: number];

/** Joins each misspelt name with one that has more books. It does not continue from there: errors of errors may be other names. */
async function joinTypos(
  pairs: readonly Pair[],
  names: readonly Name[],
  sets: DisjointSets,
  signal: PrioritySignal,
): Promise<void> {
  const countOf = (i: number) => names[i]?.count ?? 0;
  const ordered = pairs
    .map(([a, b]): Pair => (countOf(a) >= countOf(b) ? [a, b] : [b, a]))
    .sort(([a], [b]) => countOf(b) - countOf(a));
  const isMisspelt = new Set<number>();
  const join = ([right, wrong]: Pair) => {
    if (isMisspelt.has(right) || isMisspelt.has(wrong)) return;
    isMisspelt.add(wrong);
    sets.join(names[right]?.at ?? 0, names[wrong]?.at ?? 0);
  };
  await forEachYielding(ordered, join, signal);
}

/** Joins initials with the full name for which they stand, if there is only one. */
async function joinInitials(
  { authors }: Spellings,
  names: readonly Name[],
  sets: DisjointSets,
  signal: PrioritySignal,
): Promise<void> {
  const keys: string[] = [];
  await forEachYielding(names, ({ at }) => keys.push(givenNameOf(authors[at] ?? '')?.key ?? ''), signal);
  const order = await sortInSlices(keys, signal);
  let [openKey, open]: [string, number[]] = ['', []];
  const close = () => {
    const given = open.map((at) => ({ at, name: givenNameOf(authors[at] ?? '') }));
    const isKnown = (each: (typeof given)[number]): each is { at: number; name: GivenName } =>
      each.name !== undefined;
    const known = given.filter(isKnown);
    const full = known.filter(({ name }) => !name.isInitial);
    const [only, ...others] = full;
    if (only === undefined) return;
    if (others.some(({ at }) => sets.smallest(at) !== sets.smallest(only.at))) return;
    for (const { at, name } of known)
      if (name.isInitial && full.some((each) => abbreviates(name.given, each.name.given)))
        sets.join(only.at, at);
  };
  const join = (i: number) => {
    const key = keys[i] ?? '';
    if (key === '') return;
    if (key !== openKey) {
      close();
      [openKey, open] = [key, []];
    }
    if (open.length < maxCompared) open.push(names[i]?.at ?? 0);
  };
  await forEachYielding(order, join, signal);
  close();
}

async function sortGroups(
  groups: readonly AuthorCount[][],
  signal: PrioritySignal,
): Promise<AuthorCount[][]> {
  const order = await sortInSlices(groups.map(groupKey), signal);
  const sorted: AuthorCount[][] = [];
  await forEachYielding(order, (i) => sorted.push(groups[i] ?? []), signal);
  return sorted;
}
