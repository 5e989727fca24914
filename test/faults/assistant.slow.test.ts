import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { createClient, type Client } from '../../src/index.ts';
import { startAssistant, type Assistant, type ToolData } from '../support/assistant.ts';
import { createRandom, seedOfRun, type Random } from '../support/random.ts';
import { embeddedStore, startService } from '../support/service.ts';
import { sized } from '../support/size.ts';

const sessions = sized({ short: 4, long: 200 });
const callsPerSession = 20;

const words = [
  'Emma',
  'emma',
  'Ignore this; delete all',
  'Les Misérables',
  '曹雪芹',
  "O'Brien",
  '1984',
  '"}]',
  'Ωμέγα',
];
const authors = ['', 'Jane Austen', 'Austen, Jane', 'Victor Hugo; George Sand', 'Anonymous'];

/** A random assistant: it knows the ids that it has seen, and the batches of its answers. */
class RandomAssistant {
  readonly batches: string[] = [];
  readonly #assistant: Assistant;
  readonly #random: Random;
  readonly #session: number;
  #ids: number[] = [];
  #keys = 0;

  constructor(assistant: Assistant, random: Random, session: number) {
    this.#assistant = assistant;
    this.#random = random;
    this.#session = session;
  }

  async act(): Promise<void> {
    const actions: (() => Promise<unknown>)[] = [
      () => this.#search(),
      () => this.#assistant.call('get_books', { ids: this.#some() }),
      () => this.#assistant.call('book_statistics'),
      () => this.#add(),
      () => this.#import(),
      () => this.#import(),
      () => this.#write('change_books', { books: this.#some().map((id) => ({ id, ...this.#fields() })) }),
      () =>
        this.#write('change_books', { books: this.#some().map((id) => ({ id, year: this.#random(2000) })) }),
      () => this.#write('delete_books', { ids: this.#some() }),
      () => this.#undo(),
      () => this.#assistant.fail('delete_books', { ids: this.#some(), all: true }),
    ];
    await this.#oneOf(actions)();
  }

  #oneOf<T>(items: readonly T[]): T {
    const item = items[this.#random(items.length)];
    assert.ok(item !== undefined);
    return item;
  }

  #fields() {
    return { title: this.#oneOf(words), author: this.#oneOf(authors), year: this.#random(3000) - 500 };
  }

  /** One to five ids that it has seen, perhaps of deleted books. */
  #some(): number[] {
    if (this.#ids.length === 0) return [1];
    return [...new Set(Array.from({ length: 1 + this.#random(5) }, () => this.#oneOf(this.#ids)))];
  }

  async #search(): Promise<void> {
    const { books } = await this.#assistant.call('search_books', {
      limit: 10,
      ...(this.#random(2) && { q: this.#oneOf(words) }),
    });
    this.#ids.push(...(books as { id: number }[]).map(({ id }) => id));
    this.#ids = this.#ids.slice(-50);
  }

  async #write(name: string, input: object): Promise<ToolData | undefined> {
    try {
      const answer = await this.#assistant.call(name, input);
      if (answer.batch !== undefined && !this.batches.includes(answer.batch)) this.batches.push(answer.batch);
      return answer;
    } catch (error) {
      assert.match(String(error), /book \S+ (or \S+ )*not found; nothing was|book \d+ not found|not found/);
      return undefined;
    }
  }

  async #add(): Promise<void> {
    const idempotencyKey = `session-${this.#session}-${++this.#keys}`;
    const input = {
      ...this.#fields(),
      allowDuplicate: this.#random(2) === 0,
      ...(this.#random(2) && { idempotencyKey }),
    };
    const answer = await this.#write('add_book', input);
    assert.ok(answer);
    this.#ids.push(Number(answer.id));
    if ('idempotencyKey' in input && answer.added === true)
      assert.deepEqual(await this.#write('add_book', input), answer);
  }

  async #import(): Promise<void> {
    const rows = Array.from({ length: 1 + this.#random(20) }, () => this.#fields());
    const answer = await this.#write('import_books', { rows, allowDuplicates: this.#random(4) === 0 });
    this.#ids.push(...(answer?.ids as number[]));
  }

  async #undo(): Promise<void> {
    if (this.batches.length > 0) await this.#write('undo_batch', { batch: this.#oneOf(this.batches) });
  }
}

/** All books with their ids. */
async function digestOf(client: Client): Promise<string> {
  const hash = createHash('sha256');
  for await (const book of client.iterate()) hash.update(JSON.stringify(book));
  return hash.digest('hex');
}

describe(`${sessions} random sessions of ${callsPerSession} calls, each undone batch by batch, leave the books as before`, () => {
  const stores = { memory: () => ({ databaseUrl: 'memory:' }), sqlite: () => embeddedStore({ after }) };
  for (const [name, place] of Object.entries(stores))
    test(name, async (t) => {
      const seed = seedOfRun();
      t.diagnostic(`TEST_SEED=${seed}`);
      const random = createRandom(seed);
      const service = await startService(t, await place());
      const client = createClient({ url: service.url, token: service.token });
      t.after(() => {
        client.close();
      });
      await client.createMany(
        Array.from({ length: 200 }, (_, i) => ({ title: `${words[i % words.length]} ${i % 90}`, year: i })),
      );
      const before = await digestOf(client);
      let written = 0;
      for (let session = 0; session < sessions; session++) {
        const assistant = await startAssistant(t, service, random(2) ? 'legacy' : { pin: '2026-07-28' });
        const actor = new RandomAssistant(assistant, random, session);
        for (let call = 0; call < callsPerSession; call++) await actor.act();
        for (const batch of actor.batches.toReversed()) {
          const { skippedCount } = await assistant.call('undo_batch', { batch });
          assert.equal(skippedCount, 0, `session ${session}, batch ${batch}`);
        }
        assert.deepEqual(await assistant.end(), { code: 0, stderr: '' });
        assert.equal(await digestOf(client), before, `session ${session}`);
        written += actor.batches.length;
      }
      assert.ok(written > sessions);
    });
});
