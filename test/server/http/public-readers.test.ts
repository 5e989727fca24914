import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PublicReaders } from '../../../src/server/http/public-readers.ts';

const never = { signal: new AbortController().signal };

test('those who asked least are handled first', async () => {
  const readers = new PublicReaders(100);
  const order: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ask = (address: string) =>
    readers.run(
      address,
      async () => {
        order.push(address);
        await gate;
      },
      never,
    );
  const crawls = Array.from({ length: 10 }, () => ask('192.0.2.1'));
  const reads = [ask('192.0.2.2'), ask('192.0.2.3')];
  open();
  await Promise.all([...crawls, ...reads]);
  assert.deepEqual(order.slice(0, 5), ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1']);
});

test('readers whose address is not known have no limit', async () => {
  const readers = new PublicReaders(1);
  for (let i = 0; i < 3; i++) assert.equal(await readers.run('', () => Promise.resolve(i), never), i);
});
