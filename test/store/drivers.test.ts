import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { checkStoreUrl } from '../../src/store/drivers.ts';
import { parseFileUrl } from '../../src/store/sqlite/address.ts';

describe('a file: address names a folder', () => {
  const table: [text: string, path: string][] = [
    ['file:./data', 'data'],
    ['file:data', 'data'],
    ['file:/var/lib/shelflist', '/var/lib/shelflist'],
    ['file:///var/lib/my%20books', '/var/lib/my books'],
    ['file:./my books%20', 'my books%20'],
    ['file:./~/books', '~/books'],
    ['file:/srv/~backup/a$b/50%', '/srv/~backup/a$b/50%'],
    ['file:///srv/%24HOME/%7Ebooks%20a%20b', '/srv/$HOME/~books a b'],
  ];
  for (const [text, path] of table) {
    test(text, () => {
      assert.equal(parseFileUrl(text), resolve(path));
      checkStoreUrl(text);
    });
  }
});

describe('a file: address that only a shell would expand is refused: it would name a literal folder', () => {
  const table: [path: string, word: string][] = [
    ...['~', '~/books', '~\\books'].map((path): [string, string] => [path, '~']),
    ['~ada/books', '~ada'],
    ['$HOME/books', '$HOME'],
    ['/srv/$USER/books', '$USER'],
    ['/srv/${NAME}-books', '${NAME}'],
    ['%USERPROFILE%\\books', '%USERPROFILE%'],
    ['$env:APPDATA\\books', '$env'],
    ['///~/books', '~'],
    ['///srv/$HOME', '$HOME'],
  ];
  for (const [path, word] of table)
    test(`file:${path}`, () => {
      assert.throws(
        () => {
          checkStoreUrl(`file:${path}`);
        },
        (error: Error) =>
          error instanceof TypeError &&
          error.message.startsWith(`has ${word}, which only a shell expands: write the full path`),
      );
    });
});

describe('a database address', () => {
  for (const text of [
    'mongodb://localhost/books',
    'mongodb+srv://x.example.net',
    'memory:',
    'memory:shelf',
  ]) {
    test(`${text} is accepted`, () => {
      checkStoreUrl(text);
    });
  }

  for (const text of ['"mongodb://u:s3cret@x/y"', " 'file:x'", ' mongodb://x/y', 'mongodb://u:s3cret@x/y"'])
    test(`${text} is refused for what is around it`, () => {
      assert.throws(() => {
        checkStoreUrl(text);
      }, new TypeError('has quotes or spaces around it; remove them'));
    });

  test('that is no text is a TypeError', async () => {
    for (const value of [undefined, null, 5, {}])
      await assert.rejects(openStore(value as string), {
        name: 'TypeError',
        message: 'the database address is not a text',
      });
  });

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

describe('an option of openStore that does not exist is a TypeError that names it', () => {
  const table: [options: unknown, message: string][] = [
    [null, 'options: expected an object'],
    [
      { foo: 1 },
      'options.foo: unknown option; expected logger, historyDays, historyMaxBytes, sortArticles, sortNames',
    ],
  ];
  for (const [options, message] of table)
    test(JSON.stringify(options), async () => {
      await assert.rejects(openStore('memory:', options as object), (error: Error) => {
        assert.ok(error instanceof TypeError);
        assert.ok(error.message.startsWith(message), error.message);
        return true;
      });
    });
});
