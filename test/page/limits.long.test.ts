import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { skip } from '../support/browser.ts';
import { logIn, numberedBooks, openCatalogue } from '../support/catalogue-page.ts';
import { countRows, heapOf, layoutShiftOf, observeShifts, scrollDown } from './page-figures.ts';
import { sized } from '../support/size.ts';

const maxRows = 500;
const maxPageBytes = 60_000;
const scrolls = sized({ short: 40, long: 100 });
const maxShift = 0.02;

describe('the page keeps its limits', { skip }, () => {
  test(`with 20,000 books: few rows in the document, and a heap that does not grow with ${scrolls} scrolls`, async (t) => {
    const { page } = await openCatalogue(t, { books: numberedBooks(20_000) });
    await logIn(page);
    await page.getByText('20,000 books').waitFor();
    assert.ok((await scrollDown(page, 20)) < maxRows);
    const before = await heapOf(page);
    assert.ok((await scrollDown(page, scrolls)) < maxRows);
    const after = await heapOf(page);
    assert.ok(after < before + 3, `${before.toFixed(1)} MiB, then ${after.toFixed(1)} MiB`);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('link', { name: 'Book 1', exact: true }).waitFor();
    assert.ok((await countRows(page)) < maxRows);
  });

  test('one script and one style, small, from its own origin', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books: numberedBooks(200),
      config: { publicRead: true },
    });
    const assets: { type: string; bytes: number }[] = [];
    page.on('response', (response) => {
      const type = response.request().resourceType();
      if (type !== 'script' && type !== 'stylesheet') return;
      void response.body().then((body) => assets.push({ type, bytes: gzipSync(body).length }));
    });
    await page.goto(`${service.url}/?sort=title`);
    await page.getByText('200 books').waitFor();
    assert.deepEqual(assets.map(({ type }) => type).sort(), ['script', 'stylesheet']);
    const bytes = assets.reduce((sum, each) => sum + each.bytes, 0);
    assert.ok(bytes < maxPageBytes, `${bytes} bytes`);
  });

  test('what is shown first does not move while the rest arrives', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books: numberedBooks(200),
      config: { publicRead: true },
    });
    await page.addInitScript({ content: observeShifts });
    // Each is loaded anew: what moves within half a second of typing is no shift, and a busy machine takes longer.
    for (const [address, shown] of [
      ['?sort=title', '200 books'],
      ['?q=ada', /books found/],
      ['?view=stats', 'Books by decade'],
    ] as const) {
      await page.goto(`${service.url}/${address}`);
      await page.getByText(shown).first().waitFor();
      const shift = await layoutShiftOf(page);
      assert.ok(shift <= maxShift, `${address}: layout shift ${shift}`);
    }
  });

  test('a print of more than 5,000 books says that it is not of all', async (t) => {
    const { page } = await openCatalogue(t, { books: numberedBooks(5100) });
    await page.addInitScript({ content: 'print = () => undefined;' });
    await page.reload();
    await logIn(page);
    await page.getByText('5,100 books').waitFor();
    await page.getByRole('button', { name: 'Print' }).click();
    const caption = page.locator('.print-only caption');
    await caption.waitFor({ state: 'attached' });
    assert.match(
      (await caption.textContent()) ?? '',
      /^shelflist · .+ · 5,000 books – The first 5,000 of 5,100\.$/,
    );
  });

  test('at 320 px, the bar of the selection has two lines, and a message does not cover it', async (t) => {
    const { page } = await openCatalogue(t, {
      books: numberedBooks(300),
      browser: { viewport: { width: 320, height: 640 }, hasTouch: true },
    });
    await logIn(page);
    await page.getByText('300 books').waitFor();
    await page.keyboard.press('n');
    await page
      .getByRole('dialog')
      .getByLabel('Title')
      .fill(`A long title ${'and more '.repeat(20)}`);
    await page.keyboard.press('Enter');
    await page.getByText('was added.').waitFor();
    await page.getByRole('checkbox', { name: 'Select Book 1', exact: true }).check();
    const bar = await page.getByRole('group', { name: '1 book selected' }).boundingBox();
    const toast = await page.locator('.toast').boundingBox();
    assert.ok(bar !== null && toast !== null);
    assert.ok(bar.height <= 2 * 44 + 32, `${bar.height} px`);
    assert.ok(toast.y + toast.height <= bar.y, `${toast.y + toast.height} px, ${bar.y} px`);
  });

  for (const [what, viewport] of [
    ['at 320 px', { width: 320, height: 640 }],
    ['at 200 % zoom', { width: 640, height: 400 }],
  ] as const)
    test(`no view scrolls sideways ${what}`, async (t) => {
      const long = 'x'.repeat(300);
      const books = [...numberedBooks(30), { title: long, author: long, year: -9_007_199_254_740_991 }];
      const { page, service } = await openCatalogue(t, { books, browser: { viewport } });
      const check = async (name: string) => {
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(Number(width) <= viewport.width, `${name}: ${String(width)} px`);
      };
      await page.getByLabel('Username').waitFor();
      await check('login');
      await logIn(page);
      await page.getByText('31 books').waitFor();
      for (const address of [
        '',
        '?view=stats',
        '?view=trash',
        '?view=activity',
        '?view=import',
        '?view=duplicates',
        '?view=authors',
        '?book=31',
      ]) {
        await page.goto(`${service.url}/${address}`);
        await page.locator('h1, h2').first().waitFor({ state: 'attached' });
        await check(address);
      }
    });
});
