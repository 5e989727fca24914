import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PublicReaders } from '../../../src/server/http/public-readers.ts';

const { signal } = new AbortController();

/** Readers whose documents are made from `open` on, and the order of the addresses that got them. */
function gather(now?: () => number) {
  const readers = new PublicReaders(1000, now);
  const order: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ask = (address: string) =>
    readers.makeDocument(address, signal, async () => {
      order.push(address);
      await gate;
    });
  return { order, open, ask };
}

describe('readers without a token', () => {
  test('get their documents in the order of what they have asked for', async () => {
    const { order, open, ask } = gather();
    const crawls = Array.from({ length: 10 }, () => ask('192.0.2.1'));
    const reads = [ask('192.0.2.2'), ask('192.0.2.3')];
    open();
    await Promise.all([...crawls, ...reads]);
    const crawler = '192.0.2.1';
    const expected = [crawler, crawler, '192.0.2.2', '192.0.2.3', crawler];
    assert.deepEqual(order.slice(0, expected.length), expected);
  });

  test('are not overtaken by new addresses for longer than a few seconds', async () => {
    let seconds = 0;
    const { order, open, ask } = gather(() => seconds * 1000);
    const known = '192.0.2.1';
    const strangers = Array.from({ length: 8 }, (_, i) => `198.51.100.${i}`);
    const asked = strangers.slice(0, 2).map(ask);
    asked.push(ask(known), ask(known));
    asked.push(...strangers.slice(2, 6).map(ask));
    seconds = 5;
    asked.push(...strangers.slice(6).map(ask));
    open();
    await Promise.all(asked);
    const expected = [
      ...strangers.slice(0, 2),
      known,
      ...strangers.slice(2, 6),
      known,
      ...strangers.slice(6),
    ];
    assert.deepEqual(order, expected);
  });

  for (const perMinute of [1, 9, 10, 11])
    test(`get a document even if they may send only ${perMinute} requests`, async () => {
      const readers = new PublicReaders(perMinute, () => 0);
      assert.equal(await readers.makeDocument('192.0.2.1', signal, () => Promise.resolve('made')), 'made');
    });

  test('have no limit if their address is not known', async () => {
    const readers = new PublicReaders(1);
    for (let i = 0; i < 3; i++) await readers.admit('', signal);
  });
});
