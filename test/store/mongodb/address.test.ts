import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { inspectStore } from '../../../src/store/drivers.ts';
import { checkMongoUrl, createScrubber, redactMongoUrl } from '../../../src/store/mongodb/address.ts';

describe('a MongoDB URL without its secrets', () => {
  const table: [url: string, shown: string][] = [
    ['mongodb://localhost', 'mongodb://localhost/shelflist'],
    ['mongodb://localhost/', 'mongodb://localhost/shelflist'],
    ['mongodb://localhost:27017/books?w=1', 'mongodb://localhost:27017/books'],
    ['mongodb://ada:pw@a:1,b:2/books?replicaSet=r', 'mongodb://a:1,b:2/books'],
    [
      'mongodb+srv://ada:pw@cluster.example.net/?retryWrites=true',
      'mongodb+srv://cluster.example.net/shelflist',
    ],
    ['mongodb://%2Ftmp%2Fmongod.sock/b%C3%BCcher', 'mongodb://%2Ftmp%2Fmongod.sock/bücher'],
    ['mongodb://ada:h/u@s?h@h1:1,h2:2', 'mongodb://h1:1,h2:2/shelflist'],
    ['mongodb://ada:pw@h/books?tlsCertificateKeyFilePassword=key', 'mongodb://h/books'],
  ];
  for (const [url, shown] of table) {
    test(url, () => {
      assert.equal(redactMongoUrl(url), shown);
    });
  }

  // A secret may be in any part of these: an `@`, `/`, `?` or `#` in a password, or in an option.
  for (const url of [
    'mongodb://ada:p@s3cret@h/books',
    'mongodb://ada:p@s3cret/x@h/books',
    'mongodb://ada:p@w?s3cret=x@h/books',
    'mongodb://ada:p/s3cret@h/books',
    'mongodb://ada:p?s3cret/@h/books',
    'mongodb://ada:p#s3cret\n@h/books',
    'mongodb://ada:p#s3cret@h/books',
    'mongodb://ada:s3cret',
    'mongodb://s3cret@s3cret@',
    'mongodb+srv://ada:p@s3cret@h/books',
    'mongodb://ada:p@h/books?tlsCertificateKeyFilePassword=x@s3cret',
    'mongodb://ada:p@h/books?tlsCertificateKeyFilePassword=s3cret@x',
    'mongodb://ada:p@h/books#s3cret@',
    'mongodb://ada:p[s3cret@h/books',
    'mongodb://ada:s3cret@h/books?appName=s3cret@s3cret',
    'mongodb://h/books?appName=s3cret@b',
  ]) {
    test(`shows no secret: ${JSON.stringify(url)}`, () => {
      assert.doesNotMatch(redactMongoUrl(url), /s3cret|ada/);
    });
  }
});

describe('an address is refused before part of it is looked up in DNS, without repeating it:', () => {
  const table: [url: string, message: RegExp][] = [
    ['mongodb://shelf:pass@w0rd/x@localhost:1/books', /must be percent-encoded: .*@ as %40/],
    ['mongodb://user:p@ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://user:100%sure@127.0.0.1:27017/books', /percent-encoded: % as %25/],
    ['mongodb://user:pa/ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://user:pa?ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://user:pa#ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://user:pa:ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://user:pa[ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://w0rd/books?ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb://user:12?ss@127.0.0.1:27017/books', /percent-encoded/],
    ['mongodb+srv://user:p@ss@cluster.example.net/books', /percent-encoded/],
    ['mongodb://shelf:passw0rd', /names a host or port that is not valid/],
    ['mongodb://shelf:passw0rd@', /names no host/],
    ['mongodb://', /names no host/],
    ['mongodb://localhost:27017x/books', /names a host or port that is not valid/],
    ['mongodb://a.example.net,/books', /names a host or port that is not valid/],
    ['mongodb://cluster0-shard-00-00.ab1cd.mongodb.net:$MONGO_PORT/books', /names a host or port/],
    ['mongodb+srv://cluster.example.net:27017/books', /names a port or several hosts/],
    ['mongodb+srv://a.example.net,b.example.net/books', /names a port or several hosts/],
  ];
  for (const [url, message] of table)
    test(url, async () => {
      for (const use of [openStore, inspectStore])
        await assert.rejects(use(url), (error: Error) => {
          assert.ok(error instanceof TypeError);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /pass@|w0rd|ss@|sure/);
          return true;
        });
    });

  for (const url of [
    'mongodb://ada:p%40ss%25@localhost:27017/books?replicaSet=rs0&authSource=admin',
    'mongodb://ada@[::1]:27017,[FE80::1]/books',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/books',
    'mongodb+srv://ada:pw@cluster.example.net/?retryWrites=true&w=majority',
    'mongodb://ada:pw@localhost/books?replicaSet=rs0&appName=a@b',
    'mongodb://localhost?appName=a@b',
  ])
    test(`accepted: ${url}`, () => {
      checkMongoUrl(url);
    });
});

// With a pattern that backtracks, one of these would not end.
test('an address of 100,000 characters of one kind is checked and redacted', () => {
  for (const text of [',', 'a', '@', '%', ':', '/', '?', '[', '1', 'a,', 'a:1,', 'a@', '[::1],'])
    for (const start of ['', 'ada:pw@', 'a/b?c='])
      for (const end of ['', ':$x', '@']) {
        const url = `mongodb://${start}${text.repeat(100_000 / text.length)}${end}`;
        assert.ok(redactMongoUrl(url).startsWith('mongodb://'));
        try {
          checkMongoUrl(url);
        } catch (error) {
          assert.ok(error instanceof TypeError);
        }
      }
});

test('a message is scrubbed of the URL, the user, the password in both spellings, and the options', () => {
  const url = 'mongodb://ada:p%40ss@h/db?tlsCertificateKeyFilePassword=key&appName=a%40b';
  const scrub = createScrubber(url);
  for (const text of [url, 'ada:p%40ss', 'p%40ss', 'p@ss', 'ada', 'key', 'a@b', 'a%40b'])
    assert.equal(scrub(`cannot read ${text}!`), 'cannot read ***!');
});
