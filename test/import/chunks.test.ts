import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inChunks } from '../../src/import/chunks.ts';

interface Row {
  readonly title: string;
  readonly line: number;
}

const row = (title: string, line: number): Row => ({ title, line });
const lengthOf = ({ title }: Row) => title.length;

async function* come(...titles: string[]): AsyncGenerator<Row> {
  for (const [i, title] of titles.entries()) yield await Promise.resolve(row(title, i + 1));
}

async function collect(chunks: AsyncIterable<readonly Row[]>): Promise<string[]> {
  const found: string[] = [];
  for await (const chunk of chunks) found.push(chunk.map((each) => each.title).join(' '));
  return found;
}

const options = { maxRows: 3, maxCharacters: 10, maxWaitMs: 60_000 };

describe('rows are split into chunks in order', () => {
  const table: [what: string, titles: string[], chunks: string[]][] = [
    ['none', [], []],
    ['fewer than fit', ['a', 'b'], ['a b']],
    ['as many as fit, and more', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['a b c', 'd e f', 'g']],
    ['long ones', ['aaaaaa', 'bbbb', 'c'], ['aaaaaa bbbb', 'c']],
    ['one that is too long comes alone', ['a', 'b'.repeat(20), 'c'], ['a', 'b'.repeat(20), 'c']],
  ];
  for (const [what, titles, chunks] of table) {
    test(what, async () => {
      assert.deepEqual(await collect(inChunks(come(...titles), lengthOf, options)), chunks);
    });
  }
});

test('a chunk that is not full is yielded after a while', async () => {
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  async function* slow() {
    yield row('a', 1);
    await waiting;
    yield row('b', 2);
  }
  const chunks = inChunks(slow(), lengthOf, { ...options, maxWaitMs: 1 });
  const first = await chunks.next();
  assert.deepEqual(first.value, [row('a', 1)]);
  goOn();
  assert.deepEqual((await chunks.next()).value, [row('b', 2)]);
  assert.equal((await chunks.next()).done, true);
});

test('an error follows the rows before it; a reader that stops ends the source', async () => {
  async function* failing() {
    yield await Promise.resolve(row('a', 1));
    throw new Error('the disk');
  }
  const chunks = inChunks(failing(), lengthOf, options);
  assert.deepEqual((await chunks.next()).value, [row('a', 1)]);
  await assert.rejects(chunks.next(), { message: 'the disk' });

  let ended = false;
  async function* endless() {
    try {
      for (let i = 1; ; i++) yield await Promise.resolve(row('a', i));
    } finally {
      ended = true;
    }
  }
  for await (const chunk of inChunks(endless(), lengthOf, options)) if (chunk.length > 0) break;
  assert.ok(ended);
});
