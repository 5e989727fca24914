import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startService } from '../../support/service.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const service = await startService({ after });

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  service.request(method, path, { token: service.token, headers, ...(body !== undefined && { body }) });
/** A new book's path and tag. */
async function create(): Promise<{ path: string; tag: string }> {
  const { envelope } = await send('POST', '/book', {}, emma);
  const path = `/book/${(envelope?.data as { id: number }).id}`;
  return { path, tag: await tagOf(path) };
}

async function tagOf(path: string): Promise<string> {
  const { etag } = (await send('GET', path)).headers;
  assert.match(String(etag), path.startsWith('/books') ? /^W\/"[\w.-]+"$/ : /^"[\w.-]+"$/);
  return String(etag);
}

const refused = { status: 412, message: 'Precondition failed', data: null };

describe('the ETag of a book', () => {
  test('depends on the contents of the book only', async () => {
    const { path, tag } = await create();
    assert.equal(await tagOf(path), tag);
    await send('PUT', path, {}, { year: 1816 });
    assert.notEqual(await tagOf(path), tag);
    await send('PUT', path, {}, { year: 1815 });
    assert.equal(await tagOf(path), tag);
  });

  test('is sent for HEAD, too', async () => {
    const { path, tag } = await create();
    assert.equal((await send('HEAD', path)).headers.etag, tag);
  });

  test('is not sent with an error', async () => {
    assert.equal((await send('GET', '/book/999')).headers.etag, undefined);
  });

  test('is not sent with an update, whose body differs from what is stored (RFC 9110, section 9.3.4)', async () => {
    const { path } = await create();
    assert.equal((await send('PUT', path, {}, { year: 1 })).headers.etag, undefined);
  });
});

describe('If-None-Match on one book', () => {
  const table: [what: string, value: (tag: string) => string, status: number][] = [
    ['its tag', (tag) => tag, 304],
    ['its tag as a weak tag', (tag) => `W/${tag}`, 304],
    ['its tag among others', (tag) => `"x", ${tag}, "y"`, 304],
    ['its tag after a tag with a comma', (tag) => `"a,b" , ${tag}`, 304],
    ['*', () => '*', 304],
    ['another tag', () => '"x"', 200],
    ['its tag without quotes', (tag) => tag.replaceAll('"', ''), 200],
    ['a part of its tag', (tag) => `${tag.slice(0, -3)}"`, 200],
    ['an empty value', () => '', 200],
    ['a malformed list', (tag) => `${tag} "x"`, 200],
  ];
  for (const [what, value, status] of table) {
    test(`GET and HEAD with ${what} in If-None-Match return ${status}`, async () => {
      const { path, tag } = await create();
      for (const method of ['GET', 'HEAD']) {
        const answer = await send(method, path, { 'If-None-Match': value(tag) });
        assert.equal(answer.status, status);
        assert.equal(answer.headers.etag, tag);
        assert.equal(answer.headers['cache-control'], 'private, no-cache');
        if (status === 304) assert.deepEqual([answer.text, answer.headers['content-type']], ['', undefined]);
      }
    });
  }

  test('GET of a missing book with If-None-Match: * is a 404', async () => {
    assert.equal((await send('GET', '/book/999', { 'If-None-Match': '*' })).status, 404);
  });

  test('If-Modified-Since and If-Unmodified-Since are ignored', async () => {
    const { path } = await create();
    const date = new Date().toUTCString();
    assert.equal((await send('GET', path, { 'If-Modified-Since': date })).status, 200);
    assert.equal(
      (await send('PUT', path, { 'If-Unmodified-Since': new Date(0).toUTCString() }, {})).status,
      200,
    );
  });
});

describe('If-Match', () => {
  const table: [what: string, value: (tag: string) => string, passes: boolean][] = [
    ['the tag of the book', (tag) => tag, true],
    ['the tag of the book among others', (tag) => `"x", ${tag}`, true],
    ['*', () => '*', true],
    ['another tag', () => '"x"', false],
    ['the tag of the book as a weak tag', (tag) => `W/${tag}`, false],
    ['the tag of the book without quotes', (tag) => tag.replaceAll('"', ''), false],
    ['an empty value', () => '', false],
  ];
  for (const [what, value, passes] of table) {
    test(`requests with ${what} in If-Match ${passes ? 'succeed' : 'get 412'}`, async () => {
      const { path, tag } = await create();
      const headers = { 'If-Match': value(tag) };
      for (const [method, body] of [['GET'], ['PUT', { title: 'A' }], ['DELETE']] as const) {
        if (method === 'DELETE') headers['If-Match'] = value(await tagOf(path));
        const { status, envelope } = await send(method, path, headers, body);
        if (passes) assert.equal(status, 200, method);
        else assert.deepEqual(envelope, refused, method);
      }
      const { status, envelope } = await send('GET', path);
      if (passes) assert.equal(status, 404);
      else assert.deepEqual(envelope?.data, { id: Number(path.slice(6)), ...emma });
    });
  }

  test('after a change of the book, writes with its old tag get 412 and change nothing', async () => {
    const { path, tag } = await create();
    await send('PUT', path, {}, { year: 1816 });
    assert.deepEqual((await send('PUT', path, { 'If-Match': tag }, { title: 'Mine' })).envelope, refused);
    assert.deepEqual((await send('DELETE', path, { 'If-Match': tag })).envelope, refused);
    const { envelope } = await send('GET', path);
    assert.deepEqual(envelope?.data, { id: Number(path.slice(6)), ...emma, year: 1816 });
  });

  test('one of 20 concurrent updates with the same tag succeeds', async () => {
    const { path, tag } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => send('PUT', path, { 'If-Match': tag }, { title: `number ${i}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 412)]);
  });

  test('with If-Match on a missing book, PUT gets 404 and DELETE 412', async () => {
    for (const value of ['*', '"x"']) {
      assert.equal((await send('PUT', '/book/999', { 'If-Match': value }, {})).status, 404);
      assert.deepEqual((await send('DELETE', '/book/999', { 'If-Match': value })).envelope, refused);
    }
  });

  test('If-Match is checked after the token and the lookup, before the body (RFC 9110, section 13.2.1)', async () => {
    const { path, tag } = await create();
    const condition = { 'If-Match': '"x"' };
    assert.equal((await send('PUT', path, condition, { year: 'x' })).status, 412);
    assert.equal((await send('PUT', path, { 'If-Match': tag }, { year: 'x' })).status, 400);
    assert.equal((await service.request('PUT', path, { headers: condition, body: {} })).status, 401);
  });
});

describe('If-None-Match on a write', () => {
  test('PUT and DELETE with the tag or * in If-None-Match get 412; with another tag they succeed', async () => {
    const { path, tag } = await create();
    for (const value of [tag, `W/${tag}`, '*']) {
      assert.deepEqual((await send('PUT', path, { 'If-None-Match': value }, {})).envelope, refused);
      assert.deepEqual((await send('DELETE', path, { 'If-None-Match': value })).envelope, refused);
    }
    assert.equal((await send('PUT', path, { 'If-None-Match': '"x"' }, {})).status, 200);
    assert.equal((await send('DELETE', path, { 'If-None-Match': '"x"' })).status, 200);
    assert.equal((await send('DELETE', path, { 'If-None-Match': '*' })).status, 200);
  });
});

describe('the ETag of the list', () => {
  const writes: [what: string, write: (path: string) => Promise<unknown>][] = [
    ['a create', () => send('POST', '/book', {}, emma)],
    ['an update', (path) => send('PUT', path, {}, { year: 1 })],
    ['a delete', (path) => send('DELETE', path)],
    ['a bulk', () => send('POST', '/books', {}, [emma])],
  ];
  for (const [what, write] of writes) {
    test(`changes after ${what}`, async () => {
      const { path } = await create();
      const tag = await tagOf('/books');
      assert.equal((await send('GET', '/books', { 'If-None-Match': tag })).status, 304);
      await write(path);
      assert.notEqual(await tagOf('/books'), tag);
      assert.equal((await send('GET', '/books', { 'If-None-Match': tag })).status, 200);
    });
  }

  test('stays the same while nothing is written, with parameters, too', async () => {
    const { path } = await create();
    const tag = await tagOf('/books?q=emma&limit=1');
    await send('GET', path);
    await send('DELETE', '/book/999');
    await send('POST', '/book', {}, { year: 'x' });
    const answer = await send('GET', '/books?q=emma&limit=1', { 'If-None-Match': tag });
    assert.deepEqual([answer.status, answer.text, answer.headers.link], [304, '', undefined]);
  });

  test('is weak, so If-Match with it is 412: a write may come between the tag and the books', async () => {
    const tag = await tagOf('/books');
    assert.deepEqual((await send('GET', '/books', { 'If-Match': tag })).envelope, refused);
    assert.equal((await send('GET', '/books', { 'If-Match': '*' })).status, 200);
    assert.equal((await send('GET', '/books', { 'If-None-Match': tag.replace('W/', '') })).status, 304);
  });

  test('If-Match with another tag is 412', async () => {
    assert.deepEqual((await send('GET', '/books', { 'If-Match': '"x"' })).envelope, refused);
  });

  test('differs from that of another service with the same number of books', async (t) => {
    const [one, other] = [await startService(t), await startService(t)];
    const tags = await Promise.all(
      [one, other].map(async (each) => {
        const { token } = each;
        await each.request('POST', '/book', { token, body: emma });
        return (await each.request('GET', '/books', { token })).headers.etag;
      }),
    );
    assert.notEqual(tags[0], tags[1]);
  });
});
