import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { serve, shelflist, workersOf } from '../../../support/cli.ts';
import { startBookSource } from '../../../support/book-source.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

async function start(context: Scope, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(context);
  await shelflist(['init'], { cwd });
  const stored = async () => parse(await readFile(join(cwd, '.env'), 'utf8'));
  const { AUTH_USERNAME: username, AUTH_PASSWORD: password } = await stored();
  const service = await serve(context, cwd, env);
  /** One request on a connection of its own, which goes to the next worker. */
  const send = async (
    method: string,
    path: string,
    { body, token }: { body?: object; token?: string } = {},
  ) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { Connection: 'close', ...(token !== undefined && { Authorization: token }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: unknown };
    return { status: response.status, data };
  };
  const login = await send('POST', '/token', { body: { username, password } });
  const { token } = login.data as { token: string };
  return { service, stored, send, token };
}

describe('changed settings', () => {
  test('are those of all workers, and of those that replace them', async (t) => {
    const source = await startBookSource(t, { '9780141439587': { title: 'Emma' } });
    const { service, stored, send, token } = await start(t, { WORKERS: '3' });
    assert.equal((await send('GET', '/books')).status, 401);
    const body = { publicRead: true, bookLookup: source.openLibrary };
    assert.equal((await send('PATCH', '/settings', { body, token })).status, 200);
    const { PUBLIC_READ, BOOK_LOOKUP } = await stored();
    assert.deepEqual([PUBLIC_READ, BOOK_LOOKUP], ['true', source.openLibrary]);
    const isReadBy = async (requests: number) => {
      for (let i = 0; i < requests; i++) {
        assert.equal((await send('GET', '/books')).status, 200);
        assert.equal((await send('GET', '/lookup?isbn=9780141439587', { token })).status, 200);
      }
    };
    await isReadBy(9);
    const before = await workersOf(service);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await service.said(/replacing it[^]*replacing it[^]*replacing it/);
    let status = 0;
    while (status !== 200) ({ status } = await send('GET', '/books').catch(() => ({ status: 0 })));
    await isReadBy(9);
  });

  for (const WORKERS of ['1', '2'])
    test(`sort the books at once, and not back when a worker is replaced, with WORKERS=${WORKERS}`, async (t) => {
      const { service, send, token } = await start(t, { WORKERS });
      for (const title of ['The Castle', 'Dubliners'])
        assert.equal((await send('POST', '/book', { body: { title }, token })).status, 201);
      const titles = async () => {
        const { data } = await send('GET', '/books?sort=title', { token });
        return (data as { title: string }[]).map(({ title }) => title);
      };
      assert.deepEqual(await titles(), ['The Castle', 'Dubliners']); // `init` writes the articles.
      const { data } = await send('PATCH', '/settings', { body: { sortArticles: [] }, token });
      assert.deepEqual((data as { restart: string[] }).restart, []);
      assert.deepEqual(await titles(), ['Dubliners', 'The Castle']);
      if (WORKERS !== '1') {
        const [worker = 0] = await workersOf(service);
        process.kill(worker, 'SIGKILL');
        await service.said(/replacing it/);
      }
      for (let i = 0; i < 5; i++) assert.deepEqual(await titles(), ['Dubliners', 'The Castle']);
      assert.equal(await service.stop(), 0);
    });

  test('of several workers at once are all kept', async (t) => {
    const { stored, send, token } = await start(t, { WORKERS: '3' });
    const patches = [{ catalogueName: 'City Library' }, { publicRead: true }, { sortNames: 'written' }];
    const answers = await Promise.all(patches.map((body) => send('PATCH', '/settings', { body, token })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const { CATALOGUE_NAME, PUBLIC_READ, SORT_NAMES } = await stored();
    assert.deepEqual([CATALOGUE_NAME, PUBLIC_READ, SORT_NAMES], ['City Library', 'true', 'written']);
    assert.equal((await send('PATCH', '/settings', { body: { sortNames: 'x' }, token })).status, 400);
  });

  test('have the addresses for others, if other machines reach the service', async (t) => {
    const { send, token } = await start(t, { HOST: '0.0.0.0' });
    const { data } = await send('GET', '/settings', { token });
    for (const address of (data as { addresses: string[] }).addresses)
      assert.match(address, /^http:\/\/(?!127\.|0\.)[\d.]+:\d+$/);
  });
});
