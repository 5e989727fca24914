import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isUserName, parseUser, toUser } from '../../src/catalogue/user.ts';

test('the name of a user is 1 to 200 characters, none of them a control character', () => {
  for (const name of ['j', 'Jane Austen', 'x'.repeat(200), '🙂'.repeat(200), '名'])
    assert.ok(isUserName(name), name);
  for (const name of ['', 'x'.repeat(201), 'a\nb', 'a\u0000', '\u0085', '\ud800', 7, null, undefined, ['j']])
    assert.ok(!isUserName(name), JSON.stringify(name));
});

test('a user is frozen, with the claims if they are an object', () => {
  const user = toUser('jane', { role: 'reader' });
  assert.deepEqual(user, { name: 'jane', claims: { role: 'reader' } });
  assert.ok(Object.isFrozen(user) && Object.isFrozen(user.claims));
  for (const claims of [undefined, null, 'x', 7, ['x']])
    assert.deepEqual(toUser('jane', claims), { name: 'jane', claims: {} });
});

describe('what a callback returns', () => {
  test('is no user if it is nothing', () => {
    assert.deepEqual([parseUser(undefined, 'identify'), parseUser(null, 'identify')], [undefined, undefined]);
  });

  test('is a user with a copy of the claims, as JSON holds them', () => {
    const claims = { at: new Date(0), shelves: ['a'], none: undefined };
    const user = parseUser({ name: 'jane', claims, more: 1 }, 'identify');
    claims.shelves.push('b');
    assert.deepEqual(user, { name: 'jane', claims: { at: '1970-01-01T00:00:00.000Z', shelves: ['a'] } });
    assert.deepEqual(parseUser({ name: 'jane' }, 'identify'), { name: 'jane', claims: {} });
  });

  test('has claims of at most 4,000 bytes of JSON', () => {
    const claimsOf = (bytes: number) => ({ x: 'é'.repeat((bytes - 8) / 2) });
    assert.ok(parseUser({ name: 'jane', claims: claimsOf(4000) }, 'identify'));
    assert.throws(() => parseUser({ name: 'jane', claims: claimsOf(4002) }, 'identify'), {
      message: /^identify returned claims that are not an object of at most 4000 bytes of JSON$/,
    });
  });

  for (const value of [7, 'jane', {}, { name: '' }, { name: 7 }, []])
    test(`is an error without a name: ${JSON.stringify(value)}`, () => {
      assert.throws(() => parseUser(value, 'authenticate'), {
        name: 'TypeError',
        code: 'invalid_argument',
        message: /^authenticate returned neither undefined nor \{ name \}/,
      });
    });

  for (const claims of [null, 'x', 7, ['x'], { toJSON: () => 'x' }, { toJSON: () => ['x'] }])
    test(`is an error with claims that are no object: ${JSON.stringify(claims)}`, () => {
      assert.throws(() => parseUser({ name: 'jane', claims }, 'identify'), { message: /returned claims/ });
    });
});
