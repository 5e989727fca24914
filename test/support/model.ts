import type { Book } from '../../src/index.ts';

/** What is asked of a model: as of a store, but with every word of it said again, in the plainest code. */
export interface Question {
  q?: string;
  title?: string;
  author?: string;
  year?: number;
  yearFrom?: number;
  yearTo?: number;
  sort?: 'id' | '-id' | 'title' | '-title' | 'author' | '-author' | 'year' | '-year';
}

/** All the books that a question asks for, in its order. */
export function answer(books: Iterable<Book>, question: Question): Book[] {
  const { q = '', title, author, year, yearFrom = -Infinity, yearTo = Infinity, sort = 'id' } = question;
  const key = sort.replace('-', '') as 'id' | 'title' | 'author' | 'year';
  const sign = sort.startsWith('-') ? -1 : 1;
  return [...books]
    .filter((book) => {
      const present = [...searchableOf(book.title), ...searchableOf(book.author)];
      return (
        wordsOf(q).every((start) => present.some((word) => word.startsWith(start))) &&
        (title === undefined || textOf(title) === textOf(book.title)) &&
        (author === undefined || textOf(author) === textOf(book.author)) &&
        (year === undefined || book.year === year) &&
        book.year >= yearFrom &&
        book.year <= yearTo
      );
    })
    .sort((a, b) => sign * compare(keyOf(a[key]), keyOf(b[key])) || a.id - b.id);
}

/** One character after the other: taken apart, marks dropped, in capitals and back, and what is no letter or digit ends a word. */
function wordsOf(text: string): string[] {
  const words = [''];
  for (const character of text.normalize('NFKD')) {
    if (/\p{M}/u.test(character)) continue;
    const folded = character.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
    for (const each of folded) {
      if (/[\p{L}\p{Nd}]/u.test(each)) words.push((words.pop() ?? '') + each);
      else if (!/\p{M}/u.test(each)) words.push('');
    }
  }
  return words.filter((word) => word !== '');
}

/** What search reads of a text: the first 4,096 words that end in the first 32,768 units. */
function searchableOf(text: string): Set<string> {
  let start = text;
  if (text.length > 32_768) {
    start = '';
    for (const character of text) {
      if (start.length + character.length > 32_768) break;
      start += character;
    }
  }
  const words = wordsOf(start);
  const endsInWord = wordsOf(`${start}x`).length === words.length;
  if (start !== text && endsInWord && Array.from(words.at(-1) ?? '').length <= 64) words.pop();
  return new Set([...new Set(words)].slice(0, 4096));
}

function textOf(text: string): string {
  return wordsOf(text).join(' ');
}

/** What books are ordered by: a number, or bytes of which 1000 count. */
function keyOf(value: string | number): number | Buffer {
  if (typeof value === 'number') return value;
  let known = keys.get(value);
  if (known === undefined) {
    if (keys.size >= 10_000) keys.clear();
    keys.set(value, (known = bytesOf(value)));
  }
  return known;
}

/** What texts were ordered by before: sorting asks for the same ones again and again. */
const keys = new Map<string, Buffer>();

function bytesOf(value: string): Buffer {
  let key = '';
  for (const character of textOf(value)) {
    if (Buffer.byteLength(key + character) > 1000) break;
    key += character;
  }
  return Buffer.from(key);
}

function compare(a: number | Buffer, b: number | Buffer): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return Buffer.compare(a, b);
}
