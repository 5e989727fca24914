import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startService } from '../support/service.ts';

const service = await startService({ after });

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  service.request(method, path, { token: service.token, headers, ...(body !== undefined && { body }) });
const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** A new book's path and tag. */
async function create(): Promise<{ path: string; tag: string }> {
  const { envelope } = await send('POST', '/book', {}, emma);
  const path = `/book/${(envelope?.data as { id: number }).id}`;
  return { path, tag: await tagOf(path) };
}

async function tagOf(path: string): Promise<string> {
  const { etag } = (await send('GET', path)).headers;
  assert.match(String(etag), /^"[\w.-]+"$/);
  return String(etag);
}

const refused = { status: 412, message: 'Precondition failed', data: null };

describe('the tag of a book', () => {
  test('stays while the book does, and is its contents', async () => {
    const { path, tag } = await create();
    assert.equal(await tagOf(path), tag);
    await send('PUT', path, {}, { year: 1816 });
    assert.notEqual(await tagOf(path), tag);
    await send('PUT', path, {}, { year: 1815 });
    assert.equal(await tagOf(path), tag);
  });

  test('HEAD has it too', async () => {
    const { path, tag } = await create();
    assert.equal((await send('HEAD', path)).headers.etag, tag);
  });

  test('a request that fails has none', async () => {
    assert.equal((await send('GET', '/book/999')).headers.etag, undefined);
  });

  test('an update has none: what was sent is not what is stored (RFC 9110, section 9.3.4)', async () => {
    const { path } = await create();
    assert.equal((await send('PUT', path, {}, { year: 1 })).headers.etag, undefined);
  });
});

describe('If-None-Match on one book', () => {
  const table: [what: string, value: (tag: string) => string, status: number][] = [
    ['the tag', (tag) => tag, 304],
    ['the tag, weak', (tag) => `W/${tag}`, 304],
    ['one of several', (tag) => `"x", ${tag}, "y"`, 304],
    ['with commas in another', (tag) => `"a,b" , ${tag}`, 304],
    ['any', () => '*', 304],
    ['another', () => '"x"', 200],
    ['without quotes', (tag) => tag.replaceAll('"', ''), 200],
    ['a part', (tag) => `${tag.slice(0, -3)}"`, 200],
    ['empty', () => '', 200],
    ['malformed', (tag) => `${tag} "x"`, 200],
  ];
  for (const [what, value, status] of table) {
    test(`${what}: ${status}`, async () => {
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

  test('a book that is not there is 404 all the same', async () => {
    assert.equal((await send('GET', '/book/999', { 'If-None-Match': '*' })).status, 404);
  });

  test('dates are no conditions here: there is no Last-Modified', async () => {
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
    ['the tag', (tag) => tag, true],
    ['one of several', (tag) => `"x", ${tag}`, true],
    ['any', () => '*', true],
    ['another', () => '"x"', false],
    ['the tag, weak', (tag) => `W/${tag}`, false],
    ['without quotes', (tag) => tag.replaceAll('"', ''), false],
    ['empty', () => '', false],
  ];
  for (const [what, value, passes] of table) {
    test(`${what}: ${passes ? 'goes on' : '412'}`, async () => {
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

  test('the book changed: 412, and nothing is lost', async () => {
    const { path, tag } = await create();
    await send('PUT', path, {}, { year: 1816 });
    assert.deepEqual((await send('PUT', path, { 'If-Match': tag }, { title: 'Mine' })).envelope, refused);
    assert.deepEqual((await send('DELETE', path, { 'If-Match': tag })).envelope, refused);
    const { envelope } = await send('GET', path);
    assert.deepEqual(envelope?.data, { id: Number(path.slice(6)), ...emma, year: 1816 });
  });

  test('of 20 updates at once that saw the same book, one goes on', async () => {
    const { path, tag } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => send('PUT', path, { 'If-Match': tag }, { title: `number ${i}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 412)]);
  });

  test('of a book that is not there: PUT is 404, DELETE 412', async () => {
    for (const value of ['*', '"x"']) {
      assert.equal((await send('PUT', '/book/999', { 'If-Match': value }, {})).status, 404);
      assert.deepEqual((await send('DELETE', '/book/999', { 'If-Match': value })).envelope, refused);
    }
  });

  test('comes after the token and the look-up, and before the body (RFC 9110, section 13.2.1)', async () => {
    const { path, tag } = await create();
    const condition = { 'If-Match': '"x"' };
    assert.equal((await send('PUT', path, condition, { year: 'x' })).status, 412);
    assert.equal((await send('PUT', path, { 'If-Match': tag }, { year: 'x' })).status, 400);
    assert.equal((await service.request('PUT', path, { headers: condition, body: {} })).status, 401);
  });
});

describe('If-None-Match on a write', () => {
  test('the tag, or any: 412; another: goes on', async () => {
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

describe('the tag of the list', () => {
  const writes: [what: string, write: (path: string) => Promise<unknown>][] = [
    ['a create', () => send('POST', '/book', {}, emma)],
    ['an update', (path) => send('PUT', path, {}, { year: 1 })],
    ['a delete', (path) => send('DELETE', path)],
    ['a bulk', () => send('POST', '/books', {}, [emma])],
  ];
  for (const [what, write] of writes) {
    test(`is another one after ${what}`, async () => {
      const { path } = await create();
      const tag = await tagOf('/books');
      assert.equal((await send('GET', '/books', { 'If-None-Match': tag })).status, 304);
      await write(path);
      assert.notEqual(await tagOf('/books'), tag);
      assert.equal((await send('GET', '/books', { 'If-None-Match': tag })).status, 200);
    });
  }

  test('stays while nothing changes, with parameters too', async () => {
    const { path } = await create();
    const tag = await tagOf('/books?q=emma&limit=1');
    await send('GET', path);
    await send('DELETE', '/book/999');
    await send('POST', '/book', {}, { year: 'x' });
    const answer = await send('GET', '/books?q=emma&limit=1', { 'If-None-Match': tag });
    assert.deepEqual([answer.status, answer.text, answer.headers.link], [304, '', undefined]);
  });

  test('If-Match with another one is 412', async () => {
    assert.deepEqual((await send('GET', '/books', { 'If-Match': '"x"' })).envelope, refused);
  });

  test('is not the one of another service with as many books', async (t) => {
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
