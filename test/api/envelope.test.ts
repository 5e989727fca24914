import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unwrap, wrap, wrapEnd, wrapStart } from '../../src/api/envelope.ts';
import type { ShelflistError } from '../../src/catalogue/errors.ts';

const read = (status: number, text: string, headers?: Record<string, string>) =>
  unwrap({ status, text, headers: new Headers(headers) });

test('an envelope is status, message and data, in this order', () => {
  assert.equal(wrap(200, 'Fine', { a: 1 }), '{"status":200,"message":"Fine","data":{"a":1}}');
  assert.equal(wrap(404, 'Not found', null), '{"status":404,"message":"Not found","data":null}');
});

test('unwrap returns the data of a success', () => {
  assert.deepEqual(read(200, wrap(200, 'Books retrieved successfully', [])), []);
  assert.equal(read(200, wrap(200, 'Book deleted successfully', null)), null);
});

describe('unwrap throws the error of the service', () => {
  const table: [status: number, text: string, code: string][] = [
    [404, wrap(404, 'Book not found', null), 'book_not_found'],
    [401, wrap(401, 'Invalid token', null), 'invalid_token'],
    [503, wrap(503, 'Service unavailable', null), 'unavailable'],
    [418, wrap(418, 'I am a teapot', null), 'bad_response'],
    [502, '<html>Bad gateway</html>', 'unreachable'],
    [200, 'null', 'bad_response'],
    [200, '{"status":201,"message":"x","data":1}', 'bad_response'],
    [200, '{"status":200,"message":"x"}', 'bad_response'],
    [200, '', 'bad_response'],
  ];
  for (const [status, text, code] of table) {
    test(`${status} ${text}`, () => {
      assert.throws(() => read(status, text), { name: 'ShelflistError', code });
    });
  }
});

test('an error of a damaged store recommends doctor, whatever its status', () => {
  for (const [status, message] of [
    [500, 'Internal server error'],
    [503, 'Service unavailable'],
  ] as const)
    assert.throws(() => read(status, wrap(status, message, null), { 'X-Store': 'damaged' }), {
      code: 'store_damaged',
      message: /run `shelflist doctor` on the machine of the service/,
    });
});

test('an error has the id of its request, and the wait and progress that the service reports', () => {
  const headers = { 'X-Request-Id': 'r-1', 'Retry-After': '7', 'X-Progress': '40' };
  for (const text of [wrap(503, 'Service unavailable', null), '<html>'])
    assert.throws(
      () => read(503, text, headers),
      (error: ShelflistError) => error.requestId === 'r-1',
    );
  assert.throws(() => read(503, wrap(503, 'Service unavailable', null), headers), {
    retryAfter: 7,
    progress: 40,
  });
  const date = { 'Retry-After': 'Sat, 28 Nov 2026 19:00:00 GMT' };
  assert.throws(() => read(503, wrap(503, 'Service unavailable', null), date), { retryAfter: undefined });
});

test('a header tells errors with the same status and message apart, and no others', () => {
  const named = (code: string) => ({ 'X-Error-Code': code });
  const envelope = wrap(404, 'Not found', null);
  assert.throws(() => read(404, envelope, named('batch_not_found')), { code: 'batch_not_found' });
  for (const code of ['forbidden', 'toString'])
    assert.throws(() => read(404, envelope, named(code)), { code: 'not_found' });
});

test('an envelope is written in parts, too', () => {
  assert.equal(`${wrapStart(200, 'A "b"')}[1]${wrapEnd}`, wrap(200, 'A "b"', [1]));
});

describe('what is not an envelope with the status of its response', () => {
  const table: [status: number, text: string, code: string, message: RegExp][] = [
    [502, '', 'unreachable', /\(HTTP 502\).*a proxy got none from the service/],
    [503, '<html>', 'unreachable', /a proxy got none/],
    [504, '{}', 'unreachable', /a proxy got none/],
    [501, '', 'bad_response', /a proxy, or another program, may be listening there/],
    [505, '', 'bad_response', /another program/],
    [200, '{"status":"200","message":"x","data":1}', 'bad_response', /another program/],
    [200, '{"status":200,"message":1,"data":1}', 'bad_response', /another program/],
    [200, '7', 'bad_response', /another program/],
    [200, '[]', 'bad_response', /another program/],
    [404, wrap(200, 'Fine', null), 'bad_response', /another program/],
    [413, '<html>', 'bad_response', /a proxy refuses bodies of this size; raise its limit/],
  ];
  for (const [status, text, code, message] of table)
    test(`${status} ${text}: ${code}`, () => {
      assert.throws(() => read(status, text), { code, message });
    });
});

test('an error that this version does not know is told with the status and message of the service', () => {
  assert.throws(() => read(418, wrap(418, 'I am a teapot', null)), {
    code: 'bad_response',
    message: /the service answered 418: I am a teapot/,
  });
  assert.throws(() => read(300, wrap(300, 'Choose', 'data')), { code: 'bad_response' });
  assert.equal(read(299, wrap(299, 'Fine', 'data')), 'data');
});

test('the details of an error replace its message', () => {
  const envelope = (error: unknown) =>
    JSON.stringify({ status: 400, message: 'Invalid input', data: null, error });
  assert.throws(() => read(400, envelope({ code: 'invalid_input', details: 'year: too far' })), {
    message: /year: too far/,
  });
  for (const error of [{ code: 'invalid_input', details: null }, undefined, null])
    assert.throws(() => read(400, envelope(error)), { message: /Invalid input/ });
});

test('only a whole number of a header counts, and only a server error names a damaged store', () => {
  for (const [header, seconds] of [
    ['0', 0],
    ['999999999', 999_999_999],
    ['1000000000', undefined],
    ['1.5', undefined],
    ['-1', undefined],
    ['7s', undefined],
    ['s7', undefined],
    ['', undefined],
  ] as const)
    assert.throws(() => read(429, wrap(429, 'Too many attempts', null), { 'Retry-After': header }), {
      retryAfter: seconds,
    });
  assert.throws(() => read(404, wrap(404, 'Book not found', null), { 'X-Store': 'damaged' }), {
    code: 'book_not_found',
  });
  assert.throws(() => read(500, wrap(500, 'Internal server error', null), { 'X-Store': 'slow' }), {
    code: 'internal',
  });
});
