import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { KeptSettings } from '../../../../src/cli/commands/serve/kept-settings.ts';
import { readServiceSettings } from '../../../../src/config/read-settings.ts';
import { openStore } from '../../../../src/index.ts';
import { settings } from '../../../support/cli.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

async function keep(scope: Scope, databaseUrl: (folder: string) => string) {
  const directory = await temporaryFolder(scope);
  await writeFile(join(directory, '.env'), '');
  const url = databaseUrl(directory);
  const env = { ...settings, DATABASE_URL: url, HISTORY_DAYS: '900', LOG_LEVEL: 'error' };
  const sources = { env, directory };
  const kept = new KeptSettings(sources, await readServiceSettings(sources));
  return { kept, url };
}

describe('the order of the books, changed while a service runs', () => {
  test('is that of its store at once', async (t) => {
    const { kept, url } = await keep(t, (folder) => `file:${join(folder, 'data')}`);
    const store = await openStore(url);
    t.after(() => store.close());
    for (const title of ['The Castle', 'Dubliners']) await store.create({ title });
    const titles = async () =>
      (await store.find({ sort: 'title' }, { limit: 9 })).books.map(({ title }) => title);
    assert.deepEqual(await titles(), ['Dubliners', 'The Castle']);
    assert.deepEqual((await kept.change({ sortArticles: ['the'] })).restart, []);
    assert.deepEqual(await titles(), ['The Castle', 'Dubliners']);
    assert.deepEqual((await kept.change({ sortArticles: [] })).restart, []);
    assert.deepEqual(await titles(), ['Dubliners', 'The Castle']);
    await kept.close();
  });

  test('waits for the next start if nobody else can reach the store', async (t) => {
    const { kept } = await keep(t, () => 'memory:');
    const { restart, settings: stored } = await kept.change({
      sortNames: 'written',
      catalogueName: 'City Library',
    });
    assert.deepEqual(restart, ['sortNames']);
    assert.deepEqual([stored.sortNames, kept.used.sortNames], ['written', 'family']);
    assert.equal(kept.live.catalogueName, 'City Library');
    await kept.close();
  });

  test('waits for the next start if the store cannot be opened', async (t) => {
    const { kept } = await keep(t, (folder) => `file:${join(folder, '.env')}`);
    const { restart } = await kept.change({ sortArticles: ['the'] });
    assert.deepEqual(restart, ['sortArticles']);
    assert.deepEqual(kept.used.sortArticles, []);
    await kept.close();
  });
});
