import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inBatches } from '../../../../src/cli/commands/import/batches.ts';
import type { Row } from '../../../../src/cli/commands/import/reading/row.ts';
import { bookOf } from '../../../support/books.ts';

const row = (title: string, line: number): Row => ({
  line,
  unit: 'line',
  original: title,
  fields: bookOf({ title }),
});

async function* come(...titles: string[]): AsyncGenerator<Row> {
  for (const [i, title] of titles.entries()) yield await Promise.resolve(row(title, i + 1));
}

async function collect(batches: AsyncIterable<readonly Row[]>): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of batches) found.push(batch.map((each) => String(each.original)).join(' '));
  return found;
}

const options = { maxRows: 3, maxCharacters: 10, maxWaitMs: 60_000 };

describe('rows are batched in order', () => {
  const table: [what: string, titles: string[], batches: string[]][] = [
    ['none', [], []],
    ['fewer than fit', ['a', 'b'], ['a b']],
    ['as many as fit, and more', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['a b c', 'd e f', 'g']],
    ['long ones', ['aaaaaa', 'bbbb', 'c'], ['aaaaaa bbbb', 'c']],
    ['one that is too long comes alone', ['a', 'b'.repeat(20), 'c'], ['a', 'b'.repeat(20), 'c']],
  ];
  for (const [what, titles, batches] of table) {
    test(what, async () => {
      assert.deepEqual(await collect(inBatches(come(...titles), options)), batches);
    });
  }
});

test('a batch that is not full is yielded after a while', async () => {
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  async function* slow() {
    yield row('a', 1);
    await waiting;
    yield row('b', 2);
  }
  const batches = inBatches(slow(), { ...options, maxWaitMs: 1 });
  const first = await batches.next();
  assert.deepEqual(first.value, [row('a', 1)]);
  goOn();
  assert.deepEqual((await batches.next()).value, [row('b', 2)]);
  assert.equal((await batches.next()).done, true);
});

test('an error follows the rows before it; a reader that stops ends the source', async () => {
  async function* failing() {
    yield await Promise.resolve(row('a', 1));
    throw new Error('the disk');
  }
  const batches = inBatches(failing(), options);
  assert.deepEqual((await batches.next()).value, [row('a', 1)]);
  await assert.rejects(batches.next(), { message: 'the disk' });

  let ended = false;
  async function* endless() {
    try {
      for (let i = 1; ; i++) yield await Promise.resolve(row('a', i));
    } finally {
      ended = true;
    }
  }
  for await (const batch of inBatches(endless(), options)) if (batch.length > 0) break;
  assert.ok(ended);
});
