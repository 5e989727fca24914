import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible as assertInSchemes, skip } from '../support/browser.ts';
import { codeOf, logIn, numberedBooks, openCatalogue, openLoggedIn } from '../support/catalogue-page.ts';
import { serverLanguages } from '../../src/texts/server-texts.ts';
import { onlyLong, sized } from '../support/size.ts';

const books = [
  ...numberedBooks(60),
  { title: 'ثلاثية القاهرة', author: 'نجيب محفوظ', year: 1956 },
  { title: '', author: '', year: 0 },
];

/** Here the short form shows the dark scheme, too. */
const assertAccessible = (page: Page, name: string) =>
  assertInSchemes(page, name, sized({ short: 2, long: 3 }));

describe('axe-core finds no violation of WCAG 2.2 AA', { skip }, () => {
  for (const [name, viewport] of [
    ['a wide screen', { width: 1280, height: 800 }],
    ['320 px', { width: 320, height: 640 }],
  ] as const)
    test(`on ${name}`, { skip: name === '320 px' && onlyLong }, async (t) => {
      const { page, service } = await openCatalogue(t, { books, browser: { viewport } });
      await page.getByLabel('Username').waitFor();
      await assertAccessible(page, 'login');
      await logIn(page);
      await page.getByText('62 books').waitFor();
      await assertAccessible(page, 'list');
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('combobox', { name: 'Author' }).fill('ada');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
      await assertAccessible(page, 'filters');
      for (const [address, shown] of [
        ['?q=nothing+here', 'No book matches'],
        ['?view=stats', 'Books by decade'],
        ['?q=ada&yearFrom=1950', /books found/],
        ['?author=Ada+Archer&yearFrom=1950', /books found/],
        ['?book=1', 'History'],
        ['?book=1000', 'This book does not exist'],
      ] as const) {
        await page.goto(`${service.url}/${address}`);
        await page.getByText(shown).first().waitFor();
        await assertAccessible(page, address);
      }
    });

  test('while the books are loaded', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByText('62 books').waitFor();
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/books(\?|$)/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await page.locator('.placeholder').first().waitFor();
    await assertAccessible(page, 'loading');
    release?.();
    await page.getByText('62 books').waitFor();
    await assertAccessible(page, 'loaded');
  });

  for (const [name, viewport] of [
    ['a wide screen', { width: 1280, height: 800 }],
    ['320 px', { width: 320, height: 640 }],
  ] as const) {
    // In the short form, the next test sees the same, in another language.
    test(`in what changes books, on ${name}`, { skip: onlyLong }, async (t) => {
      const twins = [{ title: 'Twin' }, { title: 'TWIN' }];
      const { page, service } = await openLoggedIn(t, { books: [...books, ...twins], browser: { viewport } });
      await page.getByText('64 books').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await assertAccessible(page, 'help');
      await page.keyboard.press('Escape');
      await page.keyboard.press('n');
      await page.getByRole('dialog').getByLabel('Title').fill('Twin');
      await page.getByText('The catalogue may have this book already').waitFor();
      await assertAccessible(page, 'new book');
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox', { name: 'Select Book 1', exact: true }).check();
      await assertAccessible(page, 'selection');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await assertAccessible(page, 'delete many');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await assertAccessible(page, 'change many');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Book 2', exact: true }).focus();
      await page.keyboard.press('F2');
      const title = page.getByRole('row').getByRole('textbox', { name: 'Title' });
      await title.fill('Mine');
      await assertAccessible(page, 'edited row');
      await service.request('PUT', '/book/2', { token: service.token, body: { title: 'Theirs' } });
      await title.press('Enter');
      await page.getByRole('cell', { name: 'Theirs' }).waitFor();
      await assertAccessible(page, 'conflict');
      await page.getByRole('button', { name: 'Keep theirs' }).click();
      await page.getByRole('link', { name: 'Theirs', exact: true }).focus();
      await page.keyboard.press('Delete');
      await page.getByText(/“.*” was deleted\./).waitFor();
      await assertAccessible(page, 'undo');
      for (const [address, shown] of [
        ['?view=trash', 'Restore'],
        ['?view=activity', 'Undo'],
        ['?view=duplicates', '2 similar books'],
        ['?view=authors', 'By number of books'],
        ['?view=import', 'Choose a file'],
      ] as const) {
        await page.goto(`${service.url}/${address}`);
        await page.getByText(shown).first().waitFor();
        await assertAccessible(page, address);
      }
      await page.route('**/trash?*', (route) =>
        route.fulfill({ status: 401, json: { status: 401, message: 'Invalid token', data: null } }),
      );
      await page.goto(`${service.url}/?view=trash`);
      await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
      await assertAccessible(page, 'login again');
      await page.unroute('**/trash?*');
    });
  }

  const languages = [
    ['de', { width: 320, height: 640 }],
    ['fr', { width: 1280, height: 800 }],
    ['es', { width: 320, height: 640 }],
  ] as const;
  for (const [language, viewport] of languages.slice(0, sized({ short: 1, long: 3 })))
    test(`in the language ${language}, in all views and dialogs`, async (t) => {
      const twins = [{ title: 'Twin' }, { title: 'TWIN' }];
      const { page, service } = await openCatalogue(t, {
        books: [...books, ...twins],
        browser: { viewport, locale: language },
      });
      const texts = serverLanguages[language];
      const shows = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();
      const dialog = page.getByRole('dialog');
      await page.getByLabel(texts.login.username).waitFor();
      await assertAccessible(page, 'login');
      await page.goto(`${service.url}/#code=${await codeOf(service)}`);
      await page.reload();
      await shows(texts.books.books(64));
      await page.keyboard.press('?');
      await dialog.waitFor();
      await assertAccessible(page, 'help');
      await page.keyboard.press('Escape');
      await page.keyboard.press('n');
      await dialog.getByLabel(texts.fields.title).fill('Twin');
      await shows(texts.changing.same);
      await assertAccessible(page, 'new book');
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox', { name: texts.many.select('Book 1'), exact: true }).check();
      await page.getByRole('button', { name: texts.changing.delete, exact: true }).click();
      await dialog.waitFor();
      await assertAccessible(page, 'delete many');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: texts.many.change, exact: true }).first().click();
      await dialog.waitFor();
      await assertAccessible(page, 'change many');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Book 2', exact: true }).focus();
      await page.keyboard.press('F2');
      const title = page.getByRole('row').getByRole('textbox', { name: texts.fields.title });
      await title.fill('Mine');
      await service.request('PUT', '/book/2', { token: service.token, body: { title: 'Theirs' } });
      await title.press('Enter');
      await shows(texts.conflict.title);
      await assertAccessible(page, 'conflict, over an edited row');
      await page.getByRole('button', { name: texts.conflict.keepTheirs }).click();
      await page.getByRole('link', { name: 'Theirs', exact: true }).focus();
      await page.keyboard.press('Delete');
      await shows(texts.changing.deletedOne('Theirs'));
      await assertAccessible(page, 'list, and what was done');
      for (const [address, shown] of [
        ['?q=nothing+here', texts.books.nothing],
        ['?book=1', texts.book.history],
        ['?view=stats', texts.stats.decades],
        ['?view=trash', texts.changing.restore],
        ['?view=activity', texts.undo],
        ['?view=duplicates', texts.duplicates.group(2)],
        ['?view=authors', texts.authors.orders.author[0]],
        ['?view=import', texts.importing.choose],
      ] as const) {
        await page.goto(`${service.url}/${address}`);
        await shows(shown);
        await assertAccessible(page, address);
      }
      await page.route('**/trash?*', (route) =>
        route.fulfill({ status: 401, json: { status: 401, message: 'Invalid token', data: null } }),
      );
      await page.goto(`${service.url}/?view=trash`);
      await page.getByRole('dialog', { name: texts.login.again }).waitFor();
      await assertAccessible(page, 'login again');
      await page.unroute('**/trash?*');
    });
});
