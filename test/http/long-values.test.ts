import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const { token } = service;
const names = ['Anne', 'Charlotte', 'Emily', 'Jane', 'Mary'];
/** Two of these fill a page. */
const authorOf = (name: string) => `${name} ${'x'.repeat(600_000)}`;
for (const name of names)
  await service.request('POST', '/book', { token, body: { title: name, author: authorOf(name), year: 1 } });

const get = async (path: string) => {
  const { status, envelope, headers } = await service.request('GET', path, { token });
  assert.equal(status, 200, path);
  return { data: envelope?.data, next: /<([^>]*)>/.exec(headers.link?.toString() ?? '')?.[1] };
};
const namesIn = (data: unknown) =>
  JSON.stringify(data).match(/(Anne|Charlotte|Emily|Jane|Mary)(?= x)/g) ?? [];

test('suggestions and statistics leave out what is longer than a page', async () => {
  for (const path of ['/suggest?field=author', '/stats']) {
    const found = namesIn((await get(path)).data);
    assert.equal(found.length, 2, path);
  }
});

for (const order of ['author', '-author', 'count', '-count'])
  test(`a page of authors by ${order} ends where their names are long, and the next one goes on`, async () => {
    const found: string[] = [];
    let longest = 0;
    for (let path: string | undefined = `/authors?limit=100&sort=${order}`; path !== undefined;) {
      const { data, next } = await get(path);
      longest = Math.max(longest, namesIn(data).length);
      found.push(...namesIn(data));
      const url: URL | undefined = next === undefined ? undefined : new URL(next, service.url + path);
      path = url && url.pathname + url.search;
    }
    assert.deepEqual(found.sort(), names);
    assert.ok(longest < names.length, String(longest));
  });

test('earlier states that are longer than a page are all answered', async () => {
  for (const year of [2, 3, 4]) await service.request('PUT', '/book/1', { token, body: { year } });
  const { envelope, headers } = await service.request('GET', '/book/1/history', { token });
  assert.equal(headers['content-length'], undefined, 'one by one');
  const states = envelope?.data as { year: number; author: string }[];
  assert.deepEqual(
    states.map(({ year, author }) => [year, author === authorOf('Anne')]),
    [3, 2, 1].map((year) => [year, true]),
  );
});
