import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Book } from './peers/books/books.ts';

/** Creates a deterministic generator of numbers below 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words =
  'the of a love night house dark sea war garden lost city king winter secret road light river queen stone dream fire shadow song';
const names = 'Anna Jane Émile Haruki Chimamanda Jorge Toni Leo Zadie José Astrid Kazuo Virginia Günter';
const families =
  'Austen Zola Murakami Adichie Borges Morrison Tolstoy Smith Saramago Lindgren Ishiguro Woolf';

/** Generates books like those of goodbooks-10k: of similar length, so 10,000 of them are about 727 KB of JSON. */
export function makeBooks(count: number): Book[] {
  const random = createRandom(10_000);
  const pick = (text: readonly string[]) => text[Math.floor(random() * text.length)] ?? '';
  const [wordList, nameList, familyList] = [words, names, families].map((text) => text.split(' ')) as [
    string[],
    string[],
    string[],
  ];
  return Array.from({ length: count }, (_, index) => {
    const length = 1 + Math.floor(random() * random() * 6);
    const title = Array.from({ length }, () => pick(wordList)).join(' ');
    const author = `${pick(nameList)} ${pick(familyList)}`;
    // Some books have a second author; some are part of a series.
    const others = random() < 0.05 ? `, ${pick(nameList)} ${pick(familyList)}` : '';
    const series = random() < 0.16 ? ` (${pick(wordList)}, #${1 + Math.floor(random() * 9)})` : '';
    return {
      id: index + 1,
      title: title + series,
      author: author + others,
      year: 2020 - Math.floor(random() ** 3 * 400),
    };
  });
}

/**
 * Generates any number of books from a few: each gets another word in its title, and a unique number (`n1`, `n2`, …).
 */
export function* variations(books: readonly Book[], count: number): Generator<Book> {
  const random = createRandom(1_000_000);
  const vocabulary = [...new Set(books.flatMap(({ title }) => title.match(/\p{L}{3,}/gu) ?? []))];
  for (let i = 0; i < count; i++) {
    const book = books[i % books.length];
    const word = vocabulary[Math.floor(random() * vocabulary.length)] ?? '';
    if (book) yield { ...book, id: i + 1, title: `${book.title} ${word} n${i + 1}` };
  }
}

/** Reads the `books.csv` of goodbooks-10k. */
export async function readBooks(file: string): Promise<Book[]> {
  const rows = parse<Record<string, string>>(await readFile(file, 'utf8'), { columns: true, bom: true });
  return rows.map(({ title = '', authors = '', original_publication_year: year }, index) => ({
    id: index + 1,
    title,
    author: authors,
    year: Math.trunc(Number(year ?? 0)),
  }));
}
