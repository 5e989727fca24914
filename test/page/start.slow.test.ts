import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, skip } from '../support/browser.ts';
import { logIn, numberedBooks, openCatalogue, waitForLogin } from '../support/catalogue-page.ts';
import { layoutShiftOf, observeShifts } from './page-figures.ts';

describe('what a reader of a public catalogue sees first', { skip }, () => {
  test('the newest books, the decades, and a book by chance; at any width, without a shift', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books: numberedBooks(400),
      config: { publicRead: true },
    });
    await page.addInitScript({ content: observeShifts });
    await page.reload();
    await page.getByRole('heading', { name: 'Recently added' }).waitFor();
    const newest = page.locator('.cover');
    assert.equal(
      await newest
        .first()
        .innerText()
        .then((text) => text.split('\n')[0]),
      'Book 400',
    );
    await page.getByRole('rowheader', { name: 'Book 1', exact: true }).waitFor();
    assert.ok((await layoutShiftOf(page)) < 0.01);
    for (const width of [320, 390, 1024, 1440, 2560])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${width} px`,
        );
      }
    await assertAccessible(page, 'the start view', 3);

    await newest.nth(1).click();
    await page.getByRole('dialog', { name: 'Book 399' }).waitFor();
    assert.equal(page.url(), `${service.url}/?book=399`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Surprise me' }).click();
    await page.waitForURL(/\?book=\d+$/);
    await page.getByRole('dialog', { name: /^Book \d+$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: '1930–1939, 40 books' }).click();
    await page.getByText('40 books found', { exact: true }).first().waitFor();
    assert.equal(await newest.count(), 0, 'a search shows only what it finds');

    await page.goto(service.url);
    await newest.first().waitFor();
    await page.getByRole('button', { name: 'Log in' }).click();
    await logIn(page);
    await waitForLogin(page);
    await newest.first().waitFor({ state: 'detached' });
  });

  test('nothing before the list if there are no books', async (t) => {
    const { page } = await openCatalogue(t, { config: { publicRead: true } });
    await page.getByRole('heading', { name: 'There are no books yet' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Surprise me' }).count(), 0);
  });
});
