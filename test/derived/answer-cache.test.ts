import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerCache } from '../../src/derived/answer-cache.ts';
import { bookOf } from '../support/books.ts';
import { connect } from '../support/client.ts';
import { lateStore } from '../support/late-store.ts';
import { embeddedStore, startService } from '../support/service.ts';
import { openStore } from '../../src/index.ts';

test('an answer is kept for its question and its version, and replaced by that of another version', () => {
  const cache = new AnswerCache<string>();
  cache.keep('1', 'q=a', 'old', 3);
  assert.equal(cache.read('1', 'q=a'), 'old');
  assert.equal(cache.read('1', 'q=b'), undefined);
  assert.equal(cache.read('2', 'q=a'), undefined);
  cache.keep('2', 'q=a', 'new', 3);
  assert.equal(cache.read('2', 'q=a'), 'new');
  assert.equal(cache.read('1', 'q=a'), undefined);
});

test('the answers that were not used for the longest time go first; one that is too long is not kept', () => {
  const cache = new AnswerCache<number>();
  const size = 2 ** 16;
  for (let i = 0; i < 60; i++) cache.keep('1', `q=${i}`, i, size);
  assert.equal(cache.read('1', 'q=0'), 0);
  for (let i = 60; i < 70; i++) cache.keep('1', `q=${i}`, i, size);
  assert.deepEqual(
    [cache.read('1', 'q=0'), cache.read('1', 'q=1'), cache.read('1', 'q=69')],
    [0, undefined, 69],
  );
  cache.keep('1', 'q=69', 69, 2 ** 20);
  assert.equal(cache.read('1', 'q=69'), undefined);
});

test('GET /books shows each write at once, also of another process with the same store', async (t) => {
  const { databaseUrl } = await embeddedStore(t);
  const service = await startService(t, { databaseUrl });
  const client = connect(t, service.url, { token: service.token });
  const other = await openStore(databaseUrl);
  t.after(() => other.close());
  const titles = async () => (await client.page({ q: 'sea', limit: 9 })).items.map(({ title }) => title);
  await client.create({ title: 'Sea', author: 'X', year: 1 });
  assert.deepEqual([await titles(), await titles()], [['Sea'], ['Sea']]);
  await client.update(1, { title: 'Sea Two' });
  assert.deepEqual([await titles(), await titles()], [['Sea Two'], ['Sea Two']]);
  await other.create({ title: 'Sea', author: 'Y', year: 2 });
  assert.deepEqual(
    [await titles(), await titles()],
    [
      ['Sea', 'Sea Two'],
      ['Sea', 'Sea Two'],
    ],
  );
  await other.delete(1);
  assert.deepEqual(await titles(), ['Sea']);
});

test('GET /books keeps no answer that was made while the list of all words was late, and gives it a tag of its own', async (t) => {
  const { store, late } = await lateStore(['Zauberlehrling']);
  const service = await startService(t, { store });
  const ask = async (path: string, accept = 'application/json') => {
    const answer = await fetch(service.url + path, { headers: { accept, authorization: service.token } });
    const books = (await answer.text()).split('ehrling').length - 1;
    const hasOwnTag = /\.[0-9a-f-]{36}"$/.test(answer.headers.get('etag') ?? '');
    return { status: answer.status, hasOwnTag, books };
  };
  const questions: [path: string, accept?: string][] = [
    ['/books?q=lehrling&limit=5'],
    ['/books?q=lehrling'],
    ['/books?q=lehrling', 'application/x-ndjson'],
  ];
  late.isLate = true;
  for (const question of questions)
    assert.deepEqual(await ask(...question), { status: 200, hasOwnTag: true, books: 0 });
  late.isLate = false;
  for (const question of questions) {
    assert.deepEqual(await ask(...question), { status: 200, hasOwnTag: false, books: 1 });
  }
  await store.create(bookOf({ title: 'Kochlehrling' }));
  late.isLate = true;
  for (const question of questions)
    assert.deepEqual(await ask(...question), { status: 200, hasOwnTag: true, books: 1 });
  late.isLate = false;
  for (const question of questions) assert.equal((await ask(...question)).books, 2);
});
