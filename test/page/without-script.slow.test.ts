import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, skip } from '../support/browser.ts';
import { numberedBooks, openCatalogue, titlesOf } from '../support/catalogue-page.ts';

describe('without JavaScript, in a browser', { skip }, () => {
  for (const [what, viewport] of [
    ['a wide screen', { width: 1280, height: 800 }],
    ['320 px', { width: 320, height: 640 }],
  ] as const)
    test(`a reader lists, searches, goes on to the next page and opens a book, on ${what}`, async (t) => {
      const { page, service } = await openCatalogue(t, {
        books: numberedBooks(120),
        config: { publicRead: true },
        address: '?utm_source=a+newsletter',
        browser: { javaScriptEnabled: false, viewport },
      });
      await page.getByText('120 books', { exact: true }).waitFor();
      assert.equal((await titlesOf(page)).length, 50);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByRole('link', { name: 'Book 51', exact: true }).waitFor();
      await page.getByRole('searchbox').fill('ada book 9');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'Book 97', exact: true }).waitFor();
      assert.deepEqual(await titlesOf(page), ['Book 91', 'Book 94', 'Book 97']);
      await page.getByRole('link', { name: 'Book 94', exact: true }).click();
      await page.getByRole('heading', { name: 'Book 94' }).waitFor();
      await page.getByText('Ada Archer').waitFor();
      await page.getByRole('link', { name: 'All books' }).click();
      await page.getByText('120 books', { exact: true }).waitFor();
      assert.equal(page.url(), `${service.url}/`);
    });

  test('what the server renders has no violation of WCAG 2.2 AA', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books: numberedBooks(60),
      config: { publicRead: true },
      browser: { viewport: { width: 320, height: 640 } },
    });
    await page.route('**/assets/*.js', (route) => route.abort('failed')); // axe-core itself needs scripts.
    for (const address of ['', '?q=ada', '?q=nothing', '?book=1', '?book=999', '?sort=x']) {
      await page.goto(`${service.url}/${address}`);
      await assertAccessible(page, address);
    }
  });
});
