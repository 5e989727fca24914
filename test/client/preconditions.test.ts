import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import type { Client } from '../../src/index.ts';
import { connect } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';
import { exampleBook as emma } from '../../src/catalogue/book.ts';

/** A client of a service with one book. */
async function start(t: TestContext): Promise<Client> {
  const { url, token } = await startService(t);
  const client = connect(t, url, { token });
  await client.create(emma);
  return client;
}

test('getTagged returns a tag of the contents', async (t) => {
  const client = await start(t);
  const first = await client.getTagged(1);
  assert.deepEqual(first.book, { id: 1, ...emma });
  await client.update(1, { year: 1816 });
  const second = await client.getTagged(1);
  assert.notEqual(second.tag, first.tag);
  await client.update(1, { year: 1815 });
  assert.deepEqual(await client.getTagged(1), first);
  await assert.rejects(client.getTagged(2), { code: 'book_not_found' });
});

test('refresh returns its argument, or the changed book', async (t) => {
  const client = await start(t);
  const known = await client.getTagged(1);
  assert.equal(await client.refresh(known), known);
  await client.update(1, { year: 1816 });
  const now = await client.refresh(known);
  assert.deepEqual(now, await client.getTagged(1));
  assert.equal(now.book.year, 1816);
  await client.delete(1);
  await assert.rejects(client.refresh(now), { code: 'book_not_found' });
});

describe('a conditional write', () => {
  test('happens if the condition holds', async (t) => {
    const client = await start(t);
    const { tag } = await client.getTagged(1);
    assert.deepEqual(await client.update(1, { year: 1816 }, { ifMatch: tag }), {
      id: 1,
      ...emma,
      year: 1816,
    });
    await client.delete(1, { ifMatch: (await client.getTagged(1)).tag });
    assert.deepEqual(await client.list(), []);
  });

  test('fails with precondition_failed if the condition does not hold', async (t) => {
    const client = await start(t);
    const { tag } = await client.getTagged(1);
    const now = await client.update(1, { author: 'J. A.' });
    const failure = { name: 'ShelflistError', code: 'precondition_failed', status: 412 };
    await assert.rejects(client.update(1, { year: 1816 }, { ifMatch: tag }), failure);
    await assert.rejects(client.delete(1, { ifMatch: tag }), failure);
    assert.deepEqual(await client.list(), [now]);
    await assert.rejects(client.update(2, {}, { ifMatch: tag }), { code: 'book_not_found' });
    await assert.rejects(client.delete(2, { ifMatch: tag }), failure);
  });

  test('happens once among concurrent ones', async (t) => {
    const client = await start(t);
    const { tag } = await client.getTagged(1);
    const writes = Array.from({ length: 20 }, (_, i) => client.update(1, { year: i }, { ifMatch: tag }));
    const done = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled');
    assert.equal(done.length, 1);
  });

  test('is not repeated after the connection broke, because it may have happened', async (t) => {
    const { url, requests } = await startStranger(t, (request, response) => {
      if (request.headers['if-match'] === undefined) answer(response, { id: 1, ...emma }, '"a"');
      else request.socket.resetAndDestroy();
    });
    const client = connect(t, url, { token: 'x' });
    const { tag } = await client.getTagged(1);
    await assert.rejects(client.update(1, {}, { ifMatch: tag }), { code: 'unreachable' });
    await client.getTagged(1);
    await assert.rejects(client.delete(1, { ifMatch: tag }), { code: 'unreachable' });
    assert.deepEqual(
      requests.map((request) => request.split(' ')[0]),
      ['GET', 'PUT', 'GET', 'DELETE'],
    );
  });
});

function answer(response: ServerResponse, data: unknown, tag?: string): void {
  if (tag !== undefined) response.setHeader('ETag', tag);
  response.end(JSON.stringify({ status: 200, message: 'x', data }));
}

describe('a missing or weak tag is a bad_response', () => {
  for (const tag of [undefined, '', 'W/"abc"', 'abc', '"a"b"', '"a", "b"']) {
    test(tag ?? 'an older service', async (t) => {
      const { url } = await startStranger(t, (_, response) => {
        answer(response, { id: 1, ...emma }, tag);
      });
      const client = connect(t, url);
      await assert.rejects(client.getTagged(1), {
        code: 'bad_response',
        message: /the tag of the book$/,
      });
      assert.deepEqual(await client.get(1), { id: 1, ...emma });
    });
  }

  test('an unrequested 304 is a bad_response', async (t) => {
    const { url } = await startStranger(t, (_, response) => {
      response.writeHead(304).end();
    });
    await assert.rejects(connect(t, url).get(1), { code: 'bad_response' });
    await assert.rejects(connect(t, url).getTagged(1), { code: 'bad_response' });
    await assert.rejects(connect(t, url).list(), { code: 'bad_response' });
  });
});
