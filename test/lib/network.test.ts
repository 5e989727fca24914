import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createNetworks, isNetwork, plainAddress } from '../../src/lib/network.ts';

describe('isNetwork accepts addresses and ranges', () => {
  const right = ['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '1.2.3.4/32', '::1', 'fd00::/8', '::/0', '::1/128'];
  const wrong = [
    ...['', 'localhost', '*', '1.2.3', '01.2.3.4', '1.2.3.4/', '1.2.3.4/33', '1.2.3.4/08', '1.2.3.4/-1'],
    ...['1.2.3.4/8/8', '1.2.3.4:80', '[::1]', '::1/129', 'fe80::1%eth0', ' ::1', '::1 ', '::1/1e1', 7, null],
  ];
  for (const text of right)
    test(text, () => {
      assert.equal(isNetwork(text), true);
    });
  for (const text of wrong)
    test(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(isNetwork(text), false);
    });
});

test('an address matches networks of its own IP version only', () => {
  const isIn = createNetworks(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
  const table: [address: string, expected: boolean][] = [
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['::1', true],
    ['::2', false],
    ['fdff::1', true],
    ['fe00::1', false],
    ['', false],
    ['rubbish', false],
  ];
  for (const [address, expected] of table) assert.equal(isIn(address), expected, address);
});

test('plainAddress writes an address in one form', () => {
  const table: [text: string, expected: string | undefined][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:0.0.0.1', '0.0.0.1'],
    ['2001:DB8:0:0::0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
    ['', undefined],
    ['192.0.2.1:80', undefined],
    ['192.0.2.256', undefined],
    ['unknown', undefined],
  ];
  for (const [text, expected] of table) assert.equal(plainAddress(text), expected, text);
});
