import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseMongoAddress } from '../../../src/store/mongodb/address.ts';

describe('what a MongoDB address says, without its credentials', () => {
  const table: [url: string, description: string, database: string][] = [
    ['mongodb://localhost', 'mongodb://localhost/shelflist', 'shelflist'],
    ['mongodb://localhost/', 'mongodb://localhost/shelflist', 'shelflist'],
    ['mongodb://localhost:27017/books?w=1', 'mongodb://localhost:27017/books', 'books'],
    ['mongodb://ada:pw@a:1,b:2/books?replicaSet=r', 'mongodb://a:1,b:2/books', 'books'],
    ['mongodb://ada:p@w@a/books', 'mongodb://a/books', 'books'],
    ['mongodb://ada:p/w@a/books', 'mongodb://a/books', 'books'],
    ['mongodb://ada:p?w/@a/books', 'mongodb://a/books', 'books'],
    ['mongodb://ada:p#w\n@a/books', 'mongodb://a/books', 'books'],
    [
      'mongodb+srv://ada:pw@cluster.example.net/?retryWrites=true',
      'mongodb+srv://cluster.example.net/shelflist',
      'shelflist',
    ],
    ['mongodb://%2Ftmp%2Fmongod.sock/b%C3%BCcher', 'mongodb://%2Ftmp%2Fmongod.sock/bücher', 'bücher'],
  ];
  for (const [url, description, database] of table) {
    test(url, () => {
      const address = parseMongoAddress(url);
      assert.deepEqual([address.description, address.database], [description, database]);
    });
  }
});

test('a message is scrubbed of the address, the user, the password in both spellings, and the options', () => {
  const url = 'mongodb://ada:p%40ss@h/db?tlsCertificateKeyFilePassword=key';
  const { scrub } = parseMongoAddress(url);
  for (const text of [url, 'ada:p%40ss', 'p%40ss', 'p@ss', '?tlsCertificateKeyFilePassword=key']) {
    assert.equal(scrub(`cannot read ${text}!`), 'cannot read ***!');
  }
});
