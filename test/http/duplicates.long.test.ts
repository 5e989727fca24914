import assert from 'node:assert/strict';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, test } from 'node:test';
import { openStore, ShelflistError, type Book, type BookFields, type Client } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { connect } from '../support/client.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { createRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';
import { sized } from '../support/size.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const count = sized({ short: 10_000, long: 100_000 });
const plantedCount = count / 100;
const mebibyte = 2 ** 20;

const random = createRandom(2026);
const pick = <Item>(items: readonly Item[] | string): Item => items[random(items.length)] as Item;
const consonants = 'bcdfghjklmnprstvwz';
const letters = 'abcdefghijklmnopqrstuvwxyz';

function word(): string {
  const syllables = Array.from(
    { length: 1 + random(3) },
    () => pick<string>(consonants) + pick<string>('aeiou'),
  );
  return syllables.join('') + (random(2) === 0 ? pick<string>(consonants) : '');
}

/** Books of few authors. Most belong to a series of the same author and year, with numbered titles. */
function makeBooks(): BookFields[] {
  const words = [...'the of and in a to'.split(' '), ...Array.from({ length: 12_000 }, word)];
  const authors = Array.from(
    { length: 5000 },
    () => `${pick<string>(letters)}. ${pick<string>(words)} ${word()}${word()}`,
  );
  const numbers = ['I', 'II', 'III', 'IV', 'V', 'A', 'B', 'C', '1', '2', '10', '11'];
  const books: BookFields[] = [];
  while (books.length < count) {
    const title = Array.from({ length: 2 + random(5) }, () => pick(words)).join(' ');
    const book = bookOf({ title, author: pick(authors), year: 1900 + random(120) });
    books.push(book);
    if (random(4) === 0)
      books.push(
        ...numbers.slice(random(6)).map((number) => ({ ...book, title: `${title}, Part ${number}` })),
      );
  }
  return books.slice(0, count);
}

/** Makes one typing error in a text: a letter too many, missing or wrong, or two letters swapped. */
function mistype(text: string): string {
  for (;;) {
    const at = random(text.length);
    if (!/[a-z]{2}/i.test(text.slice(at, at + 2))) continue;
    const [start, letter, next, rest] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
    const other = pick<string>(letters);
    const edits = [`${other}${letter}${next}`, `${next}`, `${other}${next}`, `${next}${letter}`];
    const edited = start + pick(edits) + rest;
    if (edited !== text) return edited;
  }
}

/** Reads all groups; again while the service is comparing its books. */
async function readGroups(client: Client): Promise<Book[][]> {
  const groups: Book[][] = [];
  let after: string | undefined;
  for (;;) {
    try {
      const page = await client.duplicates({
        level: 'typo',
        limit: 100,
        ...(after !== undefined && { after }),
      });
      groups.push(...page.items);
      after = page.next;
      if (after === undefined) return groups;
    } catch (error) {
      if (!(error instanceof ShelflistError) || error.code !== 'unavailable') throw error;
    }
  }
}

const books = makeBooks();
/** The ids of each planted book and of its original. */
const planted = Array.from({ length: plantedCount }, (_, i) => {
  const at = random(count);
  const { title = '', author = '', ...rest } = books[at] ?? {};
  books.push(
    bookOf(
      random(2) === 0
        ? { ...rest, title: mistype(title), author }
        : { ...rest, title, author: mistype(author) },
    ),
  );
  return `${at + 1} ${count + i + 1}`;
});

const stores: [name: string, url: (folder: string) => string, skip: string | false][] = [
  ['SQLite', (folder) => `file:${join(folder, 'data')}`, false],
  ['MongoDB', () => newDatabaseUrl(mongod), 'skip' in mongod && mongod.skip],
];

for (const [name, urlIn, skip] of stores) {
  test(
    `finds ${plantedCount} typing errors among ${count} books in bounded memory: ${name}`,
    { skip },
    async (t) => {
      const store = await openStore(urlIn(await temporaryFolder(t)));
      t.after(() => store.close());
      for (let i = 0; i < books.length; i += 1000) await store.createMany(books.slice(i, i + 1000));
      const { url, token } = await startService(t, { store });
      const client = connect(t, url, { token });

      const before = process.memoryUsage().rss;
      let peak = before;
      const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const begun = performance.now();
      const groups = await readGroups(client);
      const seconds = (performance.now() - begun) / 1000;
      delay.disable();
      clearInterval(sampler);

      const found = new Set(
        groups.flatMap((group) =>
          group.flatMap(({ id }, i) => group.slice(i + 1).map((other) => `${id} ${other.id}`)),
        ),
      );
      const hits = planted.filter((pair) => found.has(pair)).length;
      const [recall, precision] = [hits / planted.length, hits / found.size];
      const growth = (peak - before) / mebibyte;
      t.diagnostic(
        `recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}, ${seconds.toFixed(1)} s, ` +
          `${growth.toFixed(0)} MiB more memory, event loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
      );
      assert.ok(recall >= 0.95, `recall ${recall}`);
      assert.ok(precision >= 0.9, `precision ${precision}`);
      assert.ok(growth < 300, `${growth} MiB`);
    },
  );
}
