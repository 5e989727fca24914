import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { SettingsPatch } from '../../src/catalogue/changeable-settings.ts';
import { readStoredSettings, storeSettings } from '../../src/config/stored-settings.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

const defaults = {
  catalogueName: 'shelflist',
  pageLanguage: 'auto',
  publicRead: false,
  sortArticles: [],
  sortNames: 'family',
  bookLookup: 'off',
};

/** A folder with this `.env`. */
async function folderWith(scope: Scope, text: string) {
  const directory = await temporaryFolder(scope);
  const file = join(directory, '.env');
  await writeFile(file, text);
  return {
    sources: { env: {}, directory },
    text: () => readFile(file, 'utf8'),
    store: (patch: SettingsPatch) => storeSettings({ env: {}, directory }, patch),
    read: async () => (await readStoredSettings({ env: {}, directory })).settings,
  };
}

describe('settings are read as they were stored', () => {
  const patches: readonly SettingsPatch[] = [
    { catalogueName: `Bücherei "Am Park" #3` },
    { catalogueName: `Bob's Library` },
    { catalogueName: 'C:\\new \\r $HOME `id` ${PATH} $(id)' },
    { catalogueName: ' spaces ' },
    { publicRead: true },
    { sortArticles: ['the', "l'", 'der'] },
    { sortArticles: [] },
    { sortNames: 'written' },
    { bookLookup: 'https://sru.example/?version=1.1&query=num%3D{isbn}' },
    {
      catalogueName: 'a',
      publicRead: true,
      sortArticles: ['a'],
      sortNames: 'written',
      bookLookup: 'openlibrary',
    },
  ];
  for (const patch of patches)
    test(JSON.stringify(patch), async (t) => {
      const { store, read } = await folderWith(t, 'AUTH_USERNAME=ada\n');
      await store(patch);
      assert.deepEqual(await read(), { ...defaults, ...patch });
    });
});

test('a shell that reads the file runs nothing of a value', async (t) => {
  const { store, text } = await folderWith(t, '');
  for (const catalogueName of ['`id` $(id) $HOME', "Bob's"]) {
    await store({ catalogueName });
    assert.match(
      await text(),
      catalogueName.includes("'") ? /^CATALOGUE_NAME="[^$`\\"]*"\n$/ : /^CATALOGUE_NAME='[^']*'\n$/,
    );
  }
});

for (const catalogueName of ["it's `id`", "it's $HOME", `it's "mine"`, "it's \\n", '\ud800'])
  test(`a value that no quotes can hold is refused, and nothing is stored: ${JSON.stringify(catalogueName)}`, async (t) => {
    const { store, text } = await folderWith(t, 'AUTH_USERNAME=ada\n');
    await assert.rejects(store({ publicRead: true, catalogueName }), {
      code: 'invalid_input',
      message: /^catalogueName: /,
    });
    assert.equal(await text(), 'AUTH_USERNAME=ada\n');
  });

test('comments and other lines stay, and the last line of a variable is the one that changes', async (t) => {
  const before = '# Mine\nexport PUBLIC_READ=false # why\nOTHER=x\r\nPUBLIC_READ: false\n# end';
  const { store, text } = await folderWith(t, before);
  await store({ publicRead: true, sortNames: 'written' });
  assert.equal(
    await text(),
    `${before.replace('PUBLIC_READ: false', "PUBLIC_READ='true'")}\nSORT_NAMES='written'\n`,
  );
});

test('a value from elsewhere than the .env cannot be changed there', async (t) => {
  const { sources, text } = await folderWith(t, 'SORT_NAMES_FILE=names\n');
  await writeFile(join(sources.directory, 'names'), 'written\n');
  const own = { ...sources, env: { CATALOGUE_NAME: 'City Library' }, flags: { bookLookup: 'openlibrary' } };
  const { settings, fixed } = await readStoredSettings(own);
  assert.deepEqual(settings, {
    ...defaults,
    catalogueName: 'City Library',
    sortNames: 'written',
    bookLookup: 'openlibrary',
  });
  assert.deepEqual(
    fixed.map(({ setting, source }) => `${setting}: ${source}`),
    [
      'catalogueName: environment CATALOGUE_NAME',
      'sortNames: .env SORT_NAMES_FILE',
      'bookLookup: flag --book-lookup',
    ],
  );
  await assert.rejects(storeSettings(own, { sortNames: 'family' }), { code: 'invalid_input' });
  assert.equal(await text(), 'SORT_NAMES_FILE=names\n');
});

test('without a .env, no setting can be changed', async (t) => {
  const directory = await temporaryFolder(t);
  const { fixed } = await readStoredSettings({ env: {}, directory });
  assert.deepEqual(new Set(fixed.map(({ source }) => source)), new Set(['no .env']));
  await assert.rejects(storeSettings({ env: {}, directory }, { publicRead: true }), {
    code: 'invalid_input',
  });
  assert.deepEqual(await readdir(directory), []);
});

test('of concurrent changes, none is lost', async (t) => {
  const { store, read, sources } = await folderWith(t, '');
  await Promise.all([
    store({ publicRead: true }),
    store({ sortNames: 'written' }),
    store({ bookLookup: 'openlibrary' }),
  ]);
  assert.deepEqual(await read(), {
    ...defaults,
    publicRead: true,
    sortNames: 'written',
    bookLookup: 'openlibrary',
  });
  assert.deepEqual(await readdir(sources.directory), ['.env']);
});
