import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ServiceSettings } from '../../src/catalogue/changeable-settings.ts';
import { readStoredSettings } from '../../src/config/stored-settings.ts';
import { startBookSource } from '../support/book-source.ts';
import { dotenv, startKept } from '../support/kept-settings.ts';
import { secretToken, credentials, startService } from '../support/service.ts';

const defaults = {
  catalogueName: 'shelflist',
  pageLanguage: 'auto',
  publicRead: false,
  sortArticles: [],
  sortNames: 'family',
  bookLookup: 'off',
};
const refusal = (status: number, message: string) => ({ status, message, data: null });

describe('GET /settings', () => {
  test('has the settings, which no cache may keep, and no secret', async (t) => {
    const { send } = await startKept(t);
    const { envelope, headers, text } = await send('GET', '/settings');
    assert.deepEqual([envelope?.status, envelope?.message], [200, 'Settings retrieved successfully']);
    const { settings, fixed, restart, addresses, backup } = envelope?.data as ServiceSettings;
    assert.deepEqual(
      { settings, fixed, restart, addresses },
      { settings: defaults, fixed: [], restart: [], addresses: [] },
    );
    assert.equal(backup?.at, null);
    assert.equal(headers['cache-control'], 'no-store');
    for (const secret of [secretToken, credentials.password]) assert.ok(!text.includes(secret));
  });

  test('needs a token, and the right to do it', async (t) => {
    const { send } = await startKept(t);
    for (const method of ['GET', 'PATCH']) {
      const { envelope } = await send(method, '/settings', { token: '', body: '{}' });
      assert.deepEqual(envelope, refusal(401, 'Authorization token required'));
    }
    const unused = () => Promise.reject(new Error('unused'));
    const settings = { live: {}, read: unused, change: unused, onChange: () => () => undefined };
    const guarded = await startService(t, {
      settings,
      authorize: ({ action }) => action !== 'settings',
    });
    for (const method of ['GET', 'PATCH'])
      assert.deepEqual(
        (await guarded.request(method, '/settings', { token: guarded.token, body: '{}' })).envelope,
        refusal(403, 'Forbidden'),
      );
  });

  test('is unknown to a service that keeps none', async (t) => {
    const service = await startService(t);
    const { envelope } = await service.request('GET', '/settings', { token: service.token });
    assert.deepEqual(envelope, refusal(404, 'Not found'));
  });
});

describe('PATCH /settings', () => {
  test('keeps settings where the next start reads them; other lines of the file stay, and only its owner can read it', async (t) => {
    const { send, folder } = await startKept(t);
    const patch = {
      catalogueName: 'Bob’s "Library" #1 $HOME',
      sortArticles: ['the', "l'"],
      sortNames: 'written',
    };
    const { envelope } = await send('PATCH', '/settings', { body: patch });
    assert.deepEqual([envelope?.status, envelope?.message], [200, 'Settings updated successfully']);
    const { settings, restart } = envelope?.data as ServiceSettings;
    assert.deepEqual(settings, { ...defaults, ...patch });
    assert.deepEqual(restart, []);
    const path = join(folder, '.env');
    const text = await readFile(path, 'utf8');
    assert.ok(text.startsWith(dotenv));
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
    const stored = await readStoredSettings({ env: {}, directory: folder });
    assert.deepEqual(stored, { settings, fixed: [] });
  });

  test('lets the name, who may read, and the look-up take effect at once', async (t) => {
    const source = await startBookSource(t, { '9780141439587': { title: 'Emma' } });
    const { send, url } = await startKept(t);
    const list = async () => (await send('GET', '/books', { token: '' })).envelope?.status;
    const lookUp = async () => (await send('GET', '/lookup?isbn=9780141439587')).envelope?.status;
    const page = async () => (await fetch(url, { headers: { Accept: 'text/html' } })).text();
    assert.deepEqual([await list(), await lookUp()], [401, 404]);
    const patch = { catalogueName: 'City <Library>', publicRead: true, bookLookup: source.openLibrary };
    const { envelope } = await send('PATCH', '/settings', { body: patch });
    assert.deepEqual((envelope?.data as ServiceSettings).restart, []);
    assert.deepEqual([await list(), await lookUp()], [200, 200]);
    assert.match(await page(), /<title>[^<]*City &lt;Library&gt;<\/title>/);
    await send('PATCH', '/settings', { body: { pageLanguage: 'fr' } });
    assert.match(await page(), /<html lang="fr">[^]* data-page-language="fr"/);
    await send('PATCH', '/settings', { body: { publicRead: false, bookLookup: 'off' } });
    assert.deepEqual([await list(), await lookUp()], [401, 404]);
    assert.match(await page(), /City &lt;Library&gt;/);
  });

  const bad: readonly unknown[] = [
    undefined,
    'x',
    null,
    [],
    { unknown: 1 },
    { authPassword: 'a longer password' },
    { catalogueName: '' },
    { catalogueName: 'two\nlines' },
    { catalogueName: 'x'.repeat(101) },
    { catalogueName: '\ud800' },
    { catalogueName: `it's $HOME` },
    { publicRead: 'true' },
    { publicRead: null },
    { sortArticles: 'the' },
    { sortArticles: ['two words'] },
    { sortArticles: Array.from({ length: 17 }, () => 'the') },
    { sortNames: 'given' },
    { bookLookup: 'http://192.168.1.1/?q={isbn}' },
    { bookLookup: 'https://user:secret@books.example/?q={isbn}' },
    { bookLookup: 'file:///etc/passwd?{isbn}' },
  ];
  for (const body of bad)
    test(`refuses ${body === undefined ? 'nothing' : JSON.stringify(body)}, and changes nothing`, async (t) => {
      const { send, folder } = await startKept(t);
      const whole =
        typeof body === 'object' && body !== null && !Array.isArray(body)
          ? { sortNames: 'written', ...body }
          : body;
      const { envelope } = await send('PATCH', '/settings', { body: whole });
      assert.deepEqual(envelope, refusal(400, 'Invalid input'));
      assert.equal(await readFile(join(folder, '.env'), 'utf8'), dotenv);
      const { settings } = (await send('GET', '/settings')).envelope?.data as ServiceSettings;
      assert.deepEqual(settings, defaults);
    });

  test('names the setting that it refuses, with ERROR_DETAILS', async (t) => {
    const { url, token } = await startKept(t, { text: `${dotenv}ERROR_DETAILS=true\n` });
    const answer = await fetch(`${url}/settings`, {
      method: 'PATCH',
      headers: { Authorization: token },
      body: JSON.stringify({ bookLookup: 'x' }),
    });
    const { error } = (await answer.json()) as { error: { details: string } };
    assert.match(error.details, /^bookLookup: expected off, openlibrary/);
  });

  test('says what the environment sets, and does not change it', async (t) => {
    const { send } = await startKept(t, { variables: { PUBLIC_READ: 'true' } });
    const { fixed, settings } = (await send('GET', '/settings')).envelope?.data as ServiceSettings;
    assert.deepEqual(fixed, [{ setting: 'publicRead', source: 'environment PUBLIC_READ' }]);
    assert.equal(settings.publicRead, true);
    const { envelope } = await send('PATCH', '/settings', {
      body: { publicRead: false, catalogueName: 'x' },
    });
    assert.deepEqual(envelope, refusal(400, 'Invalid input'));
    assert.equal((await send('PATCH', '/settings', { body: { catalogueName: 'x' } })).status, 200);
  });

  test('loses none of many concurrent changes, nor a new password', async (t) => {
    const { send, folder } = await startKept(t);
    const newPassword = 'the new password of this test';
    const answers = await Promise.all([
      send('PATCH', '/settings', { body: { catalogueName: 'City Library' } }),
      send('PATCH', '/settings', { body: { sortNames: 'written' } }),
      send('POST', '/password', { body: { password: credentials.password, newPassword } }),
      send('PATCH', '/settings', { body: { publicRead: true } }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { settings } = await readStoredSettings({ env: {}, directory: folder });
    assert.deepEqual(settings, {
      ...defaults,
      catalogueName: 'City Library',
      sortNames: 'written',
      publicRead: true,
    });
    assert.ok((await readFile(join(folder, '.env'), 'utf8')).includes(newPassword));
  });

  test('keeps nothing, and applies nothing, if the file has become invalid', async (t) => {
    const { send, folder, url } = await startKept(t, { text: `${dotenv}LOG_LEVEL=error\n` });
    await writeFile(join(folder, '.env'), `${dotenv}SORT_NAMES=given\n`);
    const { envelope } = await send('PATCH', '/settings', { body: { publicRead: true } });
    assert.deepEqual(envelope, refusal(503, 'Service unavailable'));
    assert.equal((await fetch(`${url}/books`)).status, 401);
  });
});
