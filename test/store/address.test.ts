import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { parseStoreAddress } from '../../src/store/address.ts';

describe('a database address', () => {
  const table: [text: string, address: object][] = [
    ['file:./data', { kind: 'embedded', path: resolve('data') }],
    ['file:data', { kind: 'embedded', path: resolve('data') }],
    ['file:/var/lib/shelflist', { kind: 'embedded', path: resolve('/var/lib/shelflist') }],
    ['file:///var/lib/my%20books', { kind: 'embedded', path: resolve('/var/lib/my books') }],
    ['file:./my books%20', { kind: 'embedded', path: resolve('my books%20') }],
    ['mongodb://localhost/books', { kind: 'mongodb', url: 'mongodb://localhost/books' }],
    ['mongodb+srv://x.example.net', { kind: 'mongodb', url: 'mongodb+srv://x.example.net' }],
  ];
  for (const [text, address] of table) {
    test(text, () => {
      assert.deepEqual(parseStoreAddress(text), address);
    });
  }

  const malformed = [
    '',
    'file:',
    'data',
    './data',
    'mongodb:',
    'mongodb://',
    'http://u:s3cret@x/',
    'file://host/x',
    'FILE:x',
  ];
  for (const text of malformed) {
    test(`${JSON.stringify(text)} is a TypeError that does not repeat it`, async () => {
      await assert.rejects(openStore(text), (error: Error) => {
        assert.equal(error.name, 'TypeError');
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
    });
  }
});
