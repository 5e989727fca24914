import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { exampleBook } from '../../src/catalogue/book.ts';
import { isOfDamage, ShelflistError } from '../../src/catalogue/errors.ts';
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
