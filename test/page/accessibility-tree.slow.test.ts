import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openPage, skip } from '../support/browser.ts';
import { accountOf, codeOf, openCatalogue, waitForLogin } from '../support/catalogue-page.ts';
import { everything } from '../support/document.ts';
import { root } from '../support/packed.ts';
import type { TestService } from '../support/service.ts';

/** The trees as text, one file for each view, so that a review sees what a change means to a screen reader. */
const folder = join(root, 'test/page/accessibility');
const compared = new Set<string>();

/** Hides the region of announcements, whose texts come and go: other tests look for them. */
const hideAnnouncements = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.visually-hidden[role=status] { display: none }');
  document.adoptedStyleSheets = [sheet];
})()`;

/** The tree of an element, without what differs between runs, and without addresses: a screen reader does not say them. */
async function treeOf(element: Locator): Promise<string> {
  await element.page().evaluate(hideAnnouncements);
  const lines = (await element.ariaSnapshot())
    .replaceAll(/\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d/g, 'DATE')
    .replaceAll(/(127\.0\.0\.1):\d+/g, '$1:PORT')
    .split('\n')
    .filter((line) => !/^ *- (?:\/url: .*|status)$/.test(line)); // Nobody hears an empty status.
  const indentOf = (line = '') => line.search(/\S|$/);
  const isParent = (i: number) => indentOf(lines[i + 1]) > indentOf(lines[i]);
  return lines.map((line, i) => `${isParent(i) ? line : line.replace(/:$/, '')}\n`).join('');
}

/** Compares the tree of an element with the kept one; with `UPDATE_SNAPSHOTS=1`, writes it. */
async function assertTree(element: Locator, name: string): Promise<void> {
  compared.add(`${name}.txt`);
  const path = join(folder, `${name}.txt`);
  const tree = await treeOf(element);
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, tree);
  }
  assert.equal(tree, readFileSync(path, 'utf8').replaceAll('\r\n', '\n'), `${name}.txt`);
}

const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'EMMA!', author: 'Austen, Jane', year: 1815 },
  { title: '', author: '', year: 0 },
];

const frameOf = (page: Page) => page.locator('.frame');
const mainOf = (page: Page) => page.locator('main');
const dialogOf = (page: Page) => page.getByRole('dialog').last();
const rowOf = (page: Page, title: string) => page.getByRole('rowheader', { name: title, exact: true });

/** Opens a view in a page, and waits for one of its texts. */
async function open(page: Page, service: TestService, address: string, shown: string): Promise<void> {
  await page.goto(`${service.url}/${address}`);
  await page.getByText(shown).filter({ visible: true }).first().waitFor();
}

async function logInByLink(page: Page, service: TestService): Promise<void> {
  await page.goto(`${service.url}/#code=${await codeOf(service)}`);
  await page.reload();
}

describe(
  'the tree that a screen reader gets is the kept one (UPDATE_SNAPSHOTS=1 writes it)',
  { skip },
  () => {
    const config = {
      publicRead: true,
      catalogueName: 'Village library',
      storePassword: () => undefined,
      settings: everything.settings,
    };

    test('of what a reader sees', async (t) => {
      const { page, service } = await openCatalogue(t, { books, config });
      await page.getByRole('heading', { name: 'Recently added' }).waitFor();
      await rowOf(page, 'Emma').waitFor();
      await assertTree(frameOf(page), 'reader-start-and-list');
      await accountOf(page).click();
      await assertTree(page.locator('.account'), 'reader-account');
      await page.keyboard.press('Escape');
      await open(page, service, '?q=austen&yearTo=1900', '2 books found');
      await rowOf(page, 'EMMA!').waitFor();
      await assertTree(mainOf(page), 'reader-search');
      await open(page, service, '?q=nothing', 'No book matches');
      await assertTree(mainOf(page), 'reader-nothing-found');
      await open(page, service, '?view=stats', 'Books by decade');
      await assertTree(mainOf(page), 'charts');
      await open(page, service, '?book=1', 'More by this author');
      await assertTree(dialogOf(page), 'reader-book');
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Copy link' }).waitFor();
      await assertTree(dialogOf(page), 'share');
      await open(page, service, '?book=99', 'This book does not exist');
      await assertTree(dialogOf(page), 'missing-book');

      await page.setViewportSize({ width: 390, height: 800 });
      await open(page, service, '?sort=title', '4 books');
      await rowOf(page, 'Emma').waitFor();
      await assertTree(frameOf(page), 'reader-phone');
      await page.getByRole('button', { name: 'Menu' }).click();
      await assertTree(page.getByRole('navigation', { name: 'Views' }), 'reader-phone-menu');

      await page.setViewportSize({ width: 1280, height: 800 });
      const failure = { status: 500, message: 'Internal server error', data: null };
      await page.route('**/books?*', (route) => route.fulfill({ status: 500, json: failure }));
      await page.getByLabel('Search books').fill('orlando');
      await page.getByText('The books could not be loaded').waitFor();
      await assertTree(mainOf(page), 'failed-load');
      await page.unroute('**/books?*');
      await page.context().setOffline(true);
      await page.getByText('No connection to the catalogue').waitFor();
      await assertTree(page.getByRole('status').first(), 'offline');
    });

    test('of what a librarian sees and changes', async (t) => {
      const { page, service } = await openCatalogue(t, { books, config });
      const suggestion = page.getByRole('listbox').getByRole('option').first();
      await logInByLink(page, service);
      await rowOf(page, 'Emma').waitFor();
      await page.getByRole('button', { name: 'New book' }).first().waitFor();
      await assertTree(frameOf(page), 'librarian-list');
      await accountOf(page).click();
      await assertTree(page.locator('.account'), 'librarian-account');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('combobox', { name: 'Author' }).fill('austen');
      await suggestion.waitFor();
      await assertTree(page.locator('#filters'), 'filters');
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('checkbox', { name: 'Select Emma', exact: true }).check();
      await assertTree(page.getByRole('group', { name: '1 book selected' }), 'selection');
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await assertTree(dialogOf(page), 'change-many');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await assertTree(dialogOf(page), 'delete-many');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear the selection' }).click();

      await page.getByRole('link', { name: 'Orlando' }).focus();
      await page.keyboard.press('F2');
      const title = page.getByRole('row').getByRole('textbox', { name: 'Title' });
      await title.fill('Orlando: mine');
      await assertTree(page.locator('tr.editing'), 'edited-row');
      const theirs = { title: 'Orlando: theirs', author: 'Virginia Woolf', year: 1928 };
      await service.request('PUT', '/book/2', { token: service.token, body: theirs });
      await title.press('Enter');
      await page.getByRole('cell', { name: 'Orlando: theirs' }).waitFor();
      await assertTree(dialogOf(page), 'conflict');
      await page.getByRole('button', { name: 'Keep theirs' }).click();
      await page.getByRole('button', { name: 'Delete Untitled' }).click();
      const toast = page.getByRole('status').filter({ hasText: 'was deleted' });
      await toast.waitFor();
      await assertTree(toast, 'message-with-undo');

      await open(page, service, '?book=2', 'Restore');
      await waitForLogin(page);
      await assertTree(dialogOf(page), 'librarian-book');
      await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
      await dialogOf(page).getByLabel('Year').fill('soon');
      await page.keyboard.press('Enter');
      await page.getByText('Enter a whole number.').waitFor();
      await assertTree(dialogOf(page), 'edited-book');
      await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();

      await open(page, service, '', '3 books');
      await waitForLogin(page);
      await page.getByRole('banner').getByRole('button', { name: 'New book' }).click();
      await dialogOf(page).getByLabel('Title').fill('Emma');
      await dialogOf(page).getByRole('combobox', { name: 'Author' }).fill('Jane Austen');
      await page.getByText('The catalogue may have this book already').waitFor();
      await suggestion.waitFor();
      await dialogOf(page).getByLabel('Year').focus();
      await suggestion.waitFor({ state: 'hidden' });
      await assertTree(dialogOf(page), 'new-book');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await dialogOf(page).waitFor();
      await assertTree(dialogOf(page), 'help');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await accountOf(page).click();
      await page.getByRole('button', { name: 'Change password' }).click();
      await assertTree(dialogOf(page), 'password');

      for (const [address, shown, name] of [
        ['?view=trash', 'Restore', 'trash'],
        ['?view=activity', 'Undo', 'activity'],
        ['?view=duplicates', 'No duplicates', 'no-duplicates'],
        ['?view=authors', 'Virginia Woolf', 'authors'],
        ['?view=settings', 'Name of the library', 'settings'],
      ] as const) {
        await open(page, service, address, shown);
        await waitForLogin(page);
        await assertTree(mainOf(page), name);
      }
      await open(page, service, '?view=authors', 'Variants');
      await page.getByRole('radio', { name: 'Variants' }).check();
      await page.getByRole('group', { name: '2 spellings' }).waitFor();
      await assertTree(mainOf(page), 'variants-of-authors');
      await page.route('**/trash?*', (route) =>
        route.fulfill({ status: 401, json: { status: 401, message: 'Invalid token', data: null } }),
      );
      await open(page, service, '?view=trash', 'Log in again');
      await assertTree(dialogOf(page), 'login-again');
    });

    test('of an import and of duplicates', async (t) => {
      const { page, service } = await openCatalogue(t, { books, config });
      await logInByLink(page, service);
      await page.getByRole('link', { name: 'Import' }).click();
      await page.getByText('Or paste rows').waitFor();
      await assertTree(mainOf(page), 'import-start');
      const rows =
        'Title,Author,Year,Shelf\nEmma,Jane Austen,1815,3a\nPersuasion,Jane Austen,1817,3a\n,,soon,\n';
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
      await page.getByRole('cell', { name: 'Persuasion' }).waitFor();
      await assertTree(mainOf(page), 'import-preview');
      await page.getByRole('radio', { name: 'Add them again' }).check();
      await page.getByRole('button', { name: /^Import \d rows$/ }).click();
      await page.getByRole('heading', { name: 'Import finished' }).waitFor();
      await assertTree(mainOf(page), 'import-result');
      await page.getByRole('link', { name: 'Duplicates' }).click();
      await page.getByRole('group', { name: 'Emma 2 similar books' }).waitFor();
      await assertTree(mainOf(page), 'duplicates');
    });

    test('of the login, of an empty catalogue, in French, and without JavaScript', async (t) => {
      const { page, service } = await openCatalogue(t, { config: { ...config, publicRead: false } });
      await page.getByLabel('Username').waitFor();
      await assertTree(mainOf(page), 'login');
      await page.getByLabel('Username').fill('nobody');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByText('The username or password is wrong.').waitFor();
      await assertTree(mainOf(page), 'login-refused');
      await logInByLink(page, service);
      await page.getByText('There are no books yet').waitFor();
      await assertTree(mainOf(page), 'empty-catalogue');

      await service.request('POST', '/books', { token: service.token, body: books });
      const french = await openPage(t, service.url, { locale: 'fr' });
      await logInByLink(french, service);
      await rowOf(french, 'Emma').waitFor();
      assert.equal(await french.evaluate(() => document.documentElement.lang), 'fr');
      await assertTree(frameOf(french), 'librarian-list-in-french');

      const reading = await openCatalogue(t, { books, config, browser: { javaScriptEnabled: false } });
      await assertTree(reading.page.locator('body'), 'without-script-list');
      await reading.page.goto(`${reading.service.url}/?book=1`);
      await assertTree(reading.page.locator('body'), 'without-script-book');
    });

    test('each kept tree is compared', () => {
      assert.deepEqual(readdirSync(folder).sort(), [...compared].sort());
    });
  },
);
