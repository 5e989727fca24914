import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ServiceSettings } from '../../src/catalogue/changeable-settings.ts';
import { shelflist } from '../support/cli.ts';
import { startKept, type KeptService } from '../support/kept-settings.ts';
import { embeddedStore, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

const refusal = (status: number, message: string) => ({ status, message, data: null });

const copy = ({ url, token }: Pick<KeptService, 'url' | 'token'>, method = 'GET') =>
  fetch(`${url}/backup`, { method, headers: { Authorization: token } });

/** The temporary copies of all services of this process. */
const copies = async () =>
  (await readdir(process.env.TMPDIR ?? '/tmp')).filter((name) => name.startsWith('shelflist-backup-'));

/** Begins to read a copy, and stops after its first bytes. */
async function begin({ url, token }: Pick<KeptService, 'url' | 'token'>): Promise<http.IncomingMessage> {
  const request = http.get(`${url}/backup`, { agent: false, headers: { Authorization: token } });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.pause();
  return response;
}

/** So many books that a copy does not fit into the buffers of a connection. */
const manyBooks = Array.from({ length: 1000 }, (_, i) => ({ title: `${i} ${'x'.repeat(9000)}` }));

describe('GET /backup', () => {
  test('is a sound copy, which `verify` and `restore` accept, with its length and name', async (t) => {
    const service = await startKept(t);
    await service.send('POST', '/book', { body: { title: 'Emma', author: 'Jane Austen', year: 1815 } });
    const answer = await copy(service);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200);
    const { headers } = answer;
    assert.equal(headers.get('Content-Type'), 'application/vnd.sqlite3');
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.match(
      headers.get('Content-Disposition') ?? '',
      /^attachment; filename="shelflist-\d{4}-\d\d-\d\d\.backup"$/,
    );
    assert.equal(Number(headers.get('Content-Length')), bytes.length);
    const cwd = await temporaryFolder(t);
    await writeFile(join(cwd, 'books.backup'), bytes);
    assert.equal((await shelflist(['verify', 'books.backup'], { cwd })).code, 0);
    const restored = ['restore', 'books.backup', '--database-url', `file:${join(cwd, 'data')}`];
    assert.equal((await shelflist(restored, { cwd })).code, 0);
    const again = await startService(t, { databaseUrl: `file:${join(cwd, 'data')}` });
    const { envelope } = await again.request('GET', '/book/1', { token: again.token });
    assert.deepEqual(envelope?.data, { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 });
    assert.deepEqual(await copies(), []);
  });

  test('is known by its time, once it was sent', async (t) => {
    const service = await startKept(t);
    const last = async () =>
      ((await service.send('GET', '/settings')).envelope?.data as ServiceSettings).backup?.at;
    assert.equal((await copy(service, 'HEAD')).status, 200);
    assert.equal(await last(), null);
    await (await copy(service)).arrayBuffer();
    while ((await last()) === null) await setImmediate(); // The service notes it after the last byte.
    assert.match(String(await last()), /^\d{4}-/);
    assert.deepEqual(await copies(), []);
  });

  test('is sent to one client at a time, and removed when that one leaves', async (t) => {
    const service = await startService(t, await embeddedStore(t));
    await service.request('POST', '/books', { token: service.token, body: manyBooks });
    const first = await begin(service);
    const busy = await copy(service);
    assert.equal(busy.status, 503);
    assert.equal(busy.headers.get('Retry-After'), '10');
    first.destroy();
    for (let status = 503; status !== 200;) {
      const next = await copy(service);
      await next.arrayBuffer();
      ({ status } = next);
    }
    while ((await copies()).length > 0) await setImmediate();
  });

  test('needs a token, and the right to do it', async (t) => {
    const open = await startService(t, { ...(await embeddedStore(t)), publicRead: true });
    assert.deepEqual(
      (await open.request('GET', '/backup')).envelope,
      refusal(401, 'Authorization token required'),
    );
    const guarded = await startService(t, {
      ...(await embeddedStore(t)),
      authorize: ({ action }) => action !== 'backup',
    });
    const { envelope } = await guarded.request('GET', '/backup', { token: guarded.token });
    assert.deepEqual(envelope, refusal(403, 'Forbidden'));
  });

  test('is not implemented for books in memory', async (t) => {
    const service = await startService(t);
    const { envelope } = await service.request('GET', '/backup', { token: service.token });
    assert.deepEqual(envelope, refusal(501, 'Not implemented'));
  });
});
