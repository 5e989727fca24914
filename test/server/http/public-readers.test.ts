import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PublicReaders } from '../../../src/server/http/public-readers.ts';

const { signal } = new AbortController();

describe('readers without a token', () => {
  test('get their documents in the order of what they have asked for', async () => {
    const readers = new PublicReaders(1000);
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
    const crawls = Array.from({ length: 10 }, () => ask('192.0.2.1'));
    const reads = [ask('192.0.2.2'), ask('192.0.2.3')];
    open();
    await Promise.all([...crawls, ...reads]);
    const crawler = '192.0.2.1';
    const expected = [crawler, crawler, crawler, crawler, '192.0.2.2', '192.0.2.3', crawler];
    assert.deepEqual(order.slice(0, expected.length), expected);
  });

  test('have no limit if their address is not known', async () => {
    const readers = new PublicReaders(1);
    for (let i = 0; i < 3; i++) await readers.admit('', signal);
  });
});
