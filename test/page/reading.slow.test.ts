import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { logIn, numberedBooks, openCatalogue, openLoggedIn, titlesOf } from '../support/catalogue-page.ts';

const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Persuasion', author: 'Jane Austen', year: 1817 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'The Waves', author: 'Virginia Woolf', year: 1931 },
  { title: 'Gilgamesh', author: '', year: -1750 },
];

const waitForTitle = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, title);

describe('reading in a browser', { skip }, () => {
  test('only somebody who logs in sees books; a wrong password is said', async (t) => {
    const { page } = await openCatalogue(t, { books });
    await page.getByLabel('Username').fill('librarian');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The username or password is wrong.').waitFor();
    await logIn(page);
    await page.getByText('5 books').waitFor();
    assert.deepEqual(await titlesOf(page), ['Emma', 'Persuasion', 'Orlando', 'The Waves', 'Gilgamesh']);
  });

  test('with PUBLIC_READ everybody sees books, and history after a login', async (t) => {
    const { page } = await openCatalogue(t, { books, config: { publicRead: true } });
    await page.getByRole('link', { name: 'Emma', exact: true }).click();
    await page.getByText('Log in to see the history.').waitFor();
  });

  test('a search that takes long says that it runs, and Enter leads from other views to its books', async (t) => {
    const { page } = await openCatalogue(t, { config: { publicRead: true }, books: numberedBooks(3) });
    await page.getByText('3 books').waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/books?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Search books').fill('Book 2');
    await page.locator('.toolbar').getByText('Loading…').waitFor();
    release();
    await page.getByText('1 book found').first().waitFor();
    await page.getByRole('link', { name: 'Charts' }).click();
    await page.getByRole('heading', { name: 'Charts' }).waitFor();
    await page.getByLabel('Search books').press('Enter');
    await page.getByRole('rowheader', { name: 'Book 2' }).waitFor();
  });

  test('a search is in the address: reload, Back and a shared link show the same', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByText('5 books').waitFor();
    await page.getByLabel('Search books').pressSequentially('woolf');
    await page.waitForURL(`${service.url}/?q=woolf`); // On a slow machine, `w` is searched first.
    await page.getByText('2 books found').first().waitFor();
    assert.deepEqual(await titlesOf(page), ['Orlando', 'The Waves']);
    await page.reload();
    await page.getByText('2 books found').first().waitFor();
    assert.equal(await page.getByLabel('Search books').inputValue(), 'woolf');
    await page.goBack();
    await page.getByText('5 books').waitFor();
    assert.equal(await page.getByLabel('Search books').inputValue(), '');
  });

  test('a table with more rows than a browser can show says where it ends', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByText('5 books').waitFor();
    assert.equal(await page.getByText('The table ends here').count(), 0);
    // With rows of 4 million pixels, 4 rows are as high as a browser allows.
    await page.locator('.row-ruler').evaluate((ruler) => {
      ruler.style.height = '4000000px';
    });
    await page.getByText('The table ends here, after 4 books.').waitFor();
    assert.equal(await page.getByRole('rowheader').count(), 4);
  });

  test('a word with a typing error shows the books of the right one, and what was typed on request', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?q=orlnado' });
    await page.getByText('Showing results for orlando').first().waitFor();
    assert.deepEqual(await titlesOf(page), ['Orlando']);
    assert.equal(page.url(), `${service.url}/?q=orlnado`);
    assert.equal(await page.getByLabel('Search books').inputValue(), 'orlnado');
    const status = page.getByRole('status').filter({ hasText: 'Showing results for orlando. 1 book found' });
    await status.waitFor();
    await page.getByRole('link', { name: 'Search for orlnado instead' }).click();
    await page.getByText('No book matches').waitFor();
    assert.equal(page.url(), `${service.url}/?q=orlnado&exact=true`);
    await page.reload();
    await page.getByText('No book matches').waitFor();
    await page.getByRole('link', { name: 'orlando' }).click();
    await page.getByText('1 book found').first().waitFor();
    assert.equal(await page.getByText('Showing results for').count(), 0);
    await page.goBack();
    await page.getByText('No book matches').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Search for orlnado instead' }).waitFor();
    assert.deepEqual(await titlesOf(page), ['Orlando']);
  });

  test('the books of a correction are filtered, sorted, counted, selected and saved', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?q=asten' });
    await page.getByRole('link', { name: 'Search for asten instead' }).waitFor();
    const head = page.getByRole('columnheader', { name: 'Year' });
    await head.getByRole('button').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await head.getByRole('button').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    assert.equal(page.url(), `${service.url}/?q=asten&sort=-year`);
    assert.deepEqual(await titlesOf(page), ['Persuasion', 'Emma']);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    assert.deepEqual(Buffer.concat(chunks).toString('utf8').trim().split('\r\n').slice(1), [
      '2,Persuasion,Jane Austen,1817',
      '1,Emma,Jane Austen,1815',
    ]);
    await page.getByRole('link', { name: 'Charts' }).click();
    await page.getByText('Showing results for austen').first().waitFor();
    await page.getByRole('link', { name: /1810–1819/ }).click();
    await page.getByText('2 books found').first().waitFor();
    assert.equal(page.url(), `${service.url}/?q=austen&yearFrom=1810&yearTo=1819&sort=-year`);
  });

  test('the letters that a search has found are marked, in its fields', async (t) => {
    const { page } = await openLoggedIn(t, { books, address: '?q=wo+or&titleWords=orl' });
    await page.locator('.books mark').first().waitFor();
    assert.deepEqual(await page.locator('.books mark').allInnerTexts(), ['Orl', 'Wo']);
    await page.getByLabel('Search books').fill('virg');
    await page.locator('.books mark', { hasText: 'Virg' }).waitFor();
    assert.deepEqual(await page.locator('.books mark').allInnerTexts(), ['Orl', 'Virg']);
  });

  test('the script of the other views that does not come is said, and asked for again', async (t) => {
    const { page } = await openCatalogue(t, { books });
    await page.route('**/assets/views-*.js', (route) => route.abort('failed'));
    await logIn(page);
    await page.getByText('5 books').waitFor();
    await page.getByRole('link', { name: 'Charts' }).click();
    await page.getByRole('alert').getByText('A part of the page could not be loaded').waitFor();
    await page.unroute('**/assets/views-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Books by decade').waitFor();
  });

  test('a script of marks that does not come leaves the list readable', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByText('5 books').waitFor();
    await page.route('**/highlight-*.js', (route) => route.abort('failed'));
    await page.getByLabel('Search books').fill('emma');
    await page.getByText('1 book found').first().waitFor();
    assert.deepEqual([await titlesOf(page), await page.locator('mark').count()], [['Emma'], 0]);
  });

  test('a column head sorts, and says how', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const head = page.getByRole('columnheader', { name: 'Year' });
    const arrow = head.locator('.icon');
    assert.equal(await arrow.evaluate((icon) => getComputedStyle(icon).opacity), '0');
    await head.getByRole('button').focus();
    await page.keyboard.press('Shift'); // The focus is shown to who uses the keyboard.
    await page.waitForFunction(() => {
      const icon = document.querySelector('th.year .icon');
      return icon !== null && getComputedStyle(icon).opacity === '0.6';
    });
    const titles = ['Gilgamesh', 'Emma', 'Persuasion', 'Orlando', 'The Waves'];
    for (const [sort, direction, expected] of [
      ['?sort=year', 'ascending', titles],
      ['?sort=-year', 'descending', titles.toReversed()],
    ] as const) {
      await head.getByRole('button').click();
      await page.locator(`th[aria-sort=${direction}]`).waitFor();
      assert.equal(page.url(), `${service.url}/${sort}`);
      assert.deepEqual(await titlesOf(page), expected);
    }
  });

  test('filters by author and years are suggested, shown, and removed', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('button', { name: 'Filters' }).click();
    const author = page.getByRole('combobox', { name: 'Author' });
    await author.pressSequentially('virg');
    await page.getByRole('option', { name: 'Virginia Woolf' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('2 books found').first().waitFor();
    await page.getByLabel('To year').fill('1930');
    await page.keyboard.press('Enter');
    await page.getByText('1 book found').first().waitFor();
    assert.equal(page.url(), `${service.url}/?author=Virginia+Woolf&yearTo=1930`);
    await page.getByRole('link', { name: 'Author Virginia Woolf , remove this filter' }).click();
    await page.getByText('4 books found').first().waitFor();
  });

  test('where nothing is found, there is nothing to save, and a button clears the search and the filters', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?q=zzz&yearFrom=1900' });
    await page.getByText('Try fewer words or fewer filters.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save as CSV' }).isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Print' }).isDisabled(), true);
    await page.getByRole('link', { name: 'Clear search and filters' }).click();
    await page.getByText('5 books').waitFor();
    assert.equal(page.url(), `${service.url}/`);
    assert.equal(await page.getByRole('button', { name: 'Print' }).isDisabled(), false);
    await page.goto(`${service.url}/?q=zzz`);
    await page.getByText('Check the spelling. A part of the word is enough.').waitFor();
  });

  test('the charts begin with the newest decade, and the menu leads back to the books', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?author=Jane+Austen' });
    await page.getByText('2 books found').first().waitFor();
    await page.goto(`${service.url}/?view=stats`);
    const chart = page.getByRole('region', { name: 'Books by decade' });
    await chart.waitFor();
    assert.deepEqual(
      (await chart.locator('.bar-label').allInnerTexts()).map((text) => text.trim()),
      ['1930–1939', '1920–1929', '1910–1919', '1900–1909', 'Before 1900', 'BC'],
    );
    await page.getByRole('link', { name: 'Books', exact: true }).click();
    await page.getByText('5 books').waitFor();
    assert.equal(page.url(), `${service.url}/`);
  });

  test('a bar of a chart leads to its books', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('link', { name: 'Charts' }).click();
    await page.getByRole('link', { name: 'Before 1900' }).click();
    await page.getByText('2 books found').first().waitFor();
    assert.equal(page.url(), `${service.url}/?yearFrom=1&yearTo=1899`);
    await page.goBack();
    await page.getByRole('link', { name: /Jane Austen/ }).click();
    await page.getByText('2 books found').first().waitFor();
  });

  test('a book has an address of its own, with its history', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByText('5 books').waitFor();
    await service.request('PUT', '/book/1', { token: service.token, body: { title: 'Emma!' } });
    await page.goto(`${service.url}/?book=1`);
    const sheet = page.getByRole('dialog', { name: 'Emma!' });
    await sheet.getByText('Changed').waitFor();
    await sheet.getByText('Emma', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    assert.equal(page.url(), `${service.url}/`);
    await page.getByRole('link', { name: 'Orlando' }).click();
    await page.getByRole('dialog', { name: 'Orlando' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Orlando');
  });

  test('the books that are shown are saved as CSV', async (t) => {
    const { page } = await openLoggedIn(t, { books: [...books, { title: 'A, "B"\n', author: ' ' }] });
    await page.getByText('6 books').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^shelflist \d{4}-\d\d-\d\d\.csv$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    assert.match(text, /^\uFEFFid,title,author,year\r\n1,Emma,Jane Austen,1815\r\n/);
    assert.ok(text.endsWith('6,"A, ""B""\n"," ",0\r\n'));
  });

  test('a reader of German has German texts', async (t) => {
    const { page } = await openCatalogue(t, { books, browser: { locale: 'de-AT' } });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  });

  test('if the script of the language cannot be loaded, the page is in English', async (t) => {
    const { page } = await openCatalogue(t, { books, browser: { locale: 'de' } });
    await page.route('**/texts-de-*.js', (route) => route.abort('failed'));
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
  });

  test('the language of Chrome under LANG=C.UTF-8, which is not a valid tag, stops nothing', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    const invalid = `for (const [name, value] of [['language', 'en-US@posix'], ['languages', ['en-US@posix']]])
      Object.defineProperty(Navigator.prototype, name, { get: () => value });`;
    await page.addInitScript({ content: invalid });
    await page.reload();
    assert.equal(await page.evaluate('navigator.language'), 'en-US@posix');
    await page.getByText('5 books').waitFor();
  });

  test('below a prefix, the page finds its script and the service', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, config: { prefix: '/library' } });
    await page.getByText('5 books').waitFor();
    await page.getByLabel('Search books').fill('emma');
    await page.getByText('1 book found').first().waitFor();
    assert.equal(page.url(), `${service.url}/library/?q=emma`);
  });

  test('the title of the tab is that of the view, of the search and of the book', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await waitForTitle(page, 'Books · shelflist');
    await page.getByLabel('Search books').fill('emma');
    await waitForTitle(page, 'emma · Books · shelflist');
    await page.getByRole('link', { name: 'Emma' }).click();
    await waitForTitle(page, 'Emma · shelflist');
    await page.keyboard.press('Escape');
    await waitForTitle(page, 'emma · Books · shelflist');
    await page.getByRole('link', { name: 'Charts' }).click();
    await waitForTitle(page, 'emma · Charts · shelflist');
  });

  test('a wrong address has a page, which leads to the books', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books,
      config: { publicRead: true, prefix: '/library' },
    });
    for (const address of ['/library/nothing', '/library/books/nothing/', '/library/nothing?q=x']) {
      const response = await page.goto(service.url + address);
      assert.equal(response?.status(), 404);
      await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
      await page.getByRole('link', { name: 'All books' }).click();
      await page.getByText('5 books').waitFor();
      assert.equal(page.url(), `${service.url}/library/`);
    }
  });

  for (const language of ['en-US@posix', 'C', 'de_DE', ''])
    test(`with the language ${JSON.stringify(language)} of the browser, the page starts`, async (t) => {
      const { page } = await openCatalogue(t, { books, config: { publicRead: true } });
      const value = JSON.stringify(language);
      await page.addInitScript({
        content: `Object.defineProperty(Navigator.prototype, 'language', { get: () => ${value} });
          Object.defineProperty(Navigator.prototype, 'languages', { get: () => ${language === '' ? '[]' : `[${value}]`} });`,
      });
      await page.goto(page.url() + '?book=1');
      await page.getByText(language === 'de_DE' ? 'Mehr von diesem Autor' : 'More by this author').waitFor();
    });

  test('an exception at the start is said on the page', async (t) => {
    const { page, service } = await openCatalogue(t, { books });
    const second = await page.context().newPage();
    await second.addInitScript({ content: 'delete Intl.NumberFormat;' });
    await second.goto(service.url);
    await second.getByText('This page could not start in this browser.').waitFor();
  });

  test('forced colours show the current view', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.emulateMedia({ forcedColors: 'active' });
    const outline = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((link) => getComputedStyle(link).outlineStyle);
    assert.equal(await outline('nav a[aria-current]'), 'solid');
    assert.equal(await outline('nav a:not([aria-current])'), 'none');
  });
});
