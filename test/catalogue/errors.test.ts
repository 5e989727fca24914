import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { exampleBook } from '../../src/catalogue/book.ts';
import {
  causesOf,
  computingOf,
  hasCode,
  isOfDamage,
  ShelflistError,
  wireErrorCode,
  wireErrorOf,
  type ErrorCode,
} from '../../src/catalogue/errors.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { startService } from '../support/service.ts';
import { stubStore } from '../support/stub-store.ts';

/** A second copy of the module, as a second installation of the package has one. */
const again = pathToFileURL(compiledPath(join(import.meta.dirname, '../../src/catalogue/errors.ts')));
const copy = (await import(`${again.href}?copy`)) as typeof import('../../src/catalogue/errors.ts');

const emma = { id: 1, ...exampleBook };

describe('an error of another copy of the package', () => {
  test('is a ShelflistError, in both directions', () => {
    assert.notEqual(copy.ShelflistError, ShelflistError);
    assert.ok(new copy.ShelflistError('precondition_failed') instanceof ShelflistError);
    assert.ok(new ShelflistError('precondition_failed') instanceof copy.ShelflistError);
  });

  test('of a store is sent by its code', async (t) => {
    const error = new copy.ShelflistError('precondition_failed');
    const store = stubStore(error, { get: () => Promise.resolve(emma) });
    const service = await startService(t, { store });
    const read = await service.request('GET', '/book/1', { token: service.token });
    const headers = { 'If-Match': read.headers.etag };
    for (const method of ['PUT', 'DELETE']) {
      const answer = await service.request(method, '/book/1', { token: service.token, headers, body: {} });
      assert.equal(answer.status, 412, method);
    }
    assert.deepEqual(service.log, []);
  });

  test('with an unknown code is an internal error', async (t) => {
    const error = Object.assign(new copy.ShelflistError('internal'), { code: 'from_the_future' });
    assert.equal(error instanceof ShelflistError, false);
    const service = await startService(t, { store: stubStore(error) });
    const answer = await service.request('GET', '/book/1', { token: service.token });
    assert.equal(answer.status, 500);
    assert.equal(service.log.length, 1);
  });
});

test('a cause that leads back to its error ends the search for damage', () => {
  const error = new Error('first');
  error.cause = new Error('second', { cause: error });
  assert.equal(isOfDamage(error), false);
  assert.equal(isOfDamage(new Error('x', { cause: new ShelflistError('store_damaged') })), true);
});

test('other errors and values are not ShelflistErrors', () => {
  for (const value of [new Error('x'), { code: 'internal' }, null, undefined, 'internal', 7])
    assert.equal((value as unknown) instanceof ShelflistError, false);
});

test('a ShelflistError is not an instance of a subclass', () => {
  class Special extends ShelflistError {}
  assert.ok(new Special('internal') instanceof Special);
  assert.ok(new Special('internal') instanceof ShelflistError);
  assert.equal(new ShelflistError('internal') instanceof Special, false);
});

test('an error has the message, the status and the pause of its code, unless it has its own', () => {
  const error = new ShelflistError('unavailable');
  assert.deepEqual([error.name, error.message, error.status], ['ShelflistError', 'Service unavailable', 503]);
  assert.deepEqual([error.retryAfter, error.progress, error.requestId], [5, undefined, undefined]);
  assert.ok(!('cause' in error));
  const cause = new Error('x');
  const own = new ShelflistError('unavailable', { message: 'busy', cause, retryAfter: undefined, progress: 7, requestId: 'r' });
  assert.deepEqual([own.message, own.cause, own.retryAfter, own.progress, own.requestId], ['busy', cause, undefined, 7, 'r']);
  assert.deepEqual(
    (['request_in_progress', 'book_not_found', 'unreachable'] as const).map((code) => new ShelflistError(code).retryAfter),
    [1, undefined, undefined],
  );
  assert.equal(new ShelflistError('unreachable').status, undefined);
}); // prettier-ignore

describe('a service answers an error of a store or a client', () => {
  const table: [code: ErrorCode, sent: string, status: number, message: string][] = [
    ['book_not_found', 'book_not_found', 404, 'Book not found'],
    ['store_unusable', 'internal', 500, 'Internal server error'],
    ['store_damaged', 'internal', 500, 'Internal server error'],
    ['store_closed', 'unavailable', 503, 'Service unavailable'],
    ['unreachable', 'unavailable', 503, 'Service unavailable'],
    ['timeout', 'unavailable', 503, 'Service unavailable'],
    ['bad_response', 'internal', 500, 'Internal server error'],
  ];
  for (const [code, sent, status, message] of table)
    test(`${code} as ${sent}`, () => {
      assert.deepEqual(wireErrorOf(code), { code: sent, status, message });
    });
});

test('an error is known by its codes', () => {
  const error = new ShelflistError('forbidden');
  assert.ok(hasCode(error, 'forbidden') && hasCode(error, 'internal', 'forbidden'));
  assert.ok(!hasCode(error, 'internal') && !hasCode(error) && !hasCode(new Error('x'), 'internal'));
  assert.ok(!hasCode({ code: 'forbidden' }, 'forbidden'));
});

test('the causes of an error are those that are objects, each once', () => {
  const last = { cause: null };
  const error = new Error('x', { cause: last });
  assert.deepEqual([...causesOf(error)], [error, last]);
  for (const value of [undefined, null, 'x', 7]) assert.deepEqual([...causesOf(value)], []);
});

test('an answer that is still being computed tells how much is done, and when to ask again', () => {
  const computing = (retryAfter?: number) =>
    computingOf(new ShelflistError('unavailable', { progress: 40, retryAfter }));
  assert.deepEqual(computing(7), { percent: 40, seconds: 7, pauseMs: 7000 });
  assert.deepEqual(computing(60), { percent: 40, seconds: 60, pauseMs: 10_000 });
  assert.deepEqual(computing(0), { percent: 40, seconds: 1, pauseMs: 1000 });
  assert.deepEqual(computing(), { percent: 40, seconds: 1, pauseMs: 1000 });
  assert.equal(computingOf(new ShelflistError('unavailable')), undefined);
  assert.equal(computingOf(new ShelflistError('internal', { progress: 40 })), undefined);
  assert.equal(computingOf({ code: 'unavailable', progress: 40 }), undefined);
});

test('a response has the code of its status and message, or the one of these that it names', () => {
  assert.equal(wireErrorCode(404, 'Book not found'), 'book_not_found');
  assert.equal(wireErrorCode(404, 'Not found'), 'not_found');
  assert.equal(wireErrorCode(404, 'Not found', 'batch_not_found'), 'batch_not_found');
  assert.equal(wireErrorCode(404, 'Not found', 'forbidden'), 'not_found');
  assert.equal(wireErrorCode(429, 'Too many requests'), 'too_many_requests');
  for (const [status, message] of [
    [400, 'Not found'],
    [404, 'Forbidden'],
    [418, 'I am a teapot'],
  ] as const)
    assert.equal(wireErrorCode(status, message, 'not_found'), undefined);
});
