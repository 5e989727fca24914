// Plants variants of names among real ones, and compares what is found with what was planted.
import type { AuthorCount } from '../../src/store.ts';
import { findAuthorVariants } from '../../src/derived/find-author-variants.ts';

/** Random numbers below 1 that are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const isPlain = (name: string) => /^[^,]+ [^, ]+$/.test(name);

/** How people and programs write a name differently; `undefined`: this name has no such variant. */
type Plant = (name: string, random: () => number) => string | undefined;

const kinds: Readonly<Record<string, Plant>> = {
  upperCase: (name) => name.toUpperCase(),
  accents: (name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
  inverted: (name) => (isPlain(name) ? name.replace(/^(.+) (\S+)$/, '$2, $1') : undefined),
  spacedInitials: (name) => (/\.(?=\p{L})/u.test(name) ? name.replace(/\.(?=\p{L})/gu, '. ') : undefined),
  bareInitials: (name) =>
    /(\p{Lu}\. ?){2}/u.test(name)
      ? name.replace(/(\p{Lu}\. ?){2,}/gu, (initials) => `${initials.replace(/[. ]/g, '')} `)
      : undefined,
  abbreviated: (name) =>
    /^\p{L}{2,} [^, ]+$/u.test(name) ? `${name.slice(0, 1)}. ${name.replace(/^\S+ /, '')}` : undefined,
  typo(name, random) {
    const words = name.split(' ');
    const places = words.flatMap((word, i) => (/^\p{L}{5,}$/u.test(word) ? [i] : []));
    const place = places[Math.floor(random() * places.length)];
    if (place === undefined || name.length < 9) return undefined;
    const word = words[place] ?? '';
    const at = 1 + Math.floor(random() * (word.length - 2));
    const letter = letters[Math.floor(random() * letters.length)] ?? '';
    const edits = [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    ];
    return words.with(place, edits[Math.floor(random() * edits.length)] ?? '').join(' ');
  },
};

export interface Found {
  readonly planted: number;
  /** The planted variants that are in the group of their names, divided by all. */
  readonly recall: number;
  /** The groups of which every spelling belongs there, divided by all that planted variants or nothing explain. */
  readonly precision: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/**
 * @param isSame Whether spellings that are both in the catalogue already belong together, as somebody has judged.
 */
export async function plantAndFind(
  real: readonly AuthorCount[],
  count: number,
  isSame: (a: string, b: string) => boolean,
): Promise<Found> {
  const random = createRandom(30);
  const all = new Map(real.map(({ author, count: books }) => [author, books]));
  const origin = new Map<string, string>();
  const initialsOf = (name: string) => name.replace(/^(.).* (\S+)$/, '$1 $2').toLowerCase();
  const names = real.map(({ author }) => author);
  const plants = Object.entries(kinds);
  const used = new Set<string>();
  for (let tries = 0; origin.size < count && tries < count * 200; tries++) {
    const name = names[Math.floor(random() * names.length)] ?? '';
    const [kind, plant] = plants[tries % plants.length] ?? ['', () => undefined];
    const variant = plant(name, random);
    if (variant === undefined || all.has(variant) || used.has(name)) continue;
    // Initials for which several names stand belong to none of them.
    if (kind === 'abbreviated' && names.filter((each) => initialsOf(each) === initialsOf(name)).length > 1)
      continue;
    used.add(name);
    all.set(variant, 1);
    origin.set(variant, name);
  }
  const authors = [...all].map(([author, books]) => ({ author, count: books }));
  const groups = await findAuthorVariants(
    (async function* () {
      yield await Promise.resolve(authors);
    })(),
    { signal: new AbortController().signal, total: authors.length, onProgress: () => undefined },
  );
  const groupOf = new Map(groups.flatMap((group) => group.map(({ author }) => [author, group] as const)));
  const missed = [...origin].filter(
    ([variant, name]) => groupOf.get(variant)?.some(({ author }) => author === name) !== true,
  );
  const nameOf = (author: string) => origin.get(author) ?? author;
  const wrong = groups.filter(([first, ...others]) =>
    others.some(({ author }) => {
      const [a, b] = [nameOf(first?.author ?? ''), nameOf(author)];
      return a !== b && !isSame(a, b);
    }),
  );
  return {
    planted: origin.size,
    recall: 1 - missed.length / origin.size,
    precision: 1 - wrong.length / groups.length,
    missed: missed.map((pair) => pair.join(' | ')),
    wrong: wrong.map((group) => group.map(({ author }) => author).join(' | ')),
  };
}
