import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoginCodes, parseLoginCode } from '../../src/auth/login-codes.ts';

test('a code gives its token once, and only where it was made', () => {
  const codes = createLoginCodes();
  const [first, second] = [codes.create('first'), codes.create('second')];
  assert.match(first, /^[\w-]{32}$/); // 192 random bits.
  assert.notEqual(first, second);
  assert.equal(createLoginCodes().take(first), undefined);
  assert.deepEqual(
    [first, first, `${second}x`, '', second].map((code) => codes.take(code)),
    ['first', undefined, undefined, undefined, 'second'],
  );
});

test('a code ends after a minute', () => {
  let now = 0;
  const codes = createLoginCodes(() => now);
  const [inTime, late] = [codes.create('a'), codes.create('b')];
  now = 59_999;
  assert.equal(codes.take(inTime), 'a');
  now = 60_000;
  assert.equal(codes.take(late), undefined);
});

test('the hundred newest codes are kept', () => {
  const codes = createLoginCodes();
  const made = Array.from({ length: 101 }, (_, i) => codes.create(String(i)));
  assert.deepEqual(
    made.map((code) => codes.take(code)),
    made.map((_, i) => (i === 0 ? undefined : String(i))),
  );
});

test('what is not a code is an invalid payload', () => {
  for (const value of [undefined, null, 'code', [], {}, { code: 7 }, { code: null }])
    assert.throws(() => parseLoginCode(value), { code: 'invalid_payload' });
  assert.equal(parseLoginCode({ code: 'x', more: 1 }), 'x');
});
