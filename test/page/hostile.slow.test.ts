import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skip } from '../support/browser.ts';
import { openLoggedIn } from '../support/catalogue-page.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { sized } from '../support/size.ts';

/** The short form opens the sheets of some. */
const step = sized({ short: 4, long: 1 });

describe('hostile texts are shown literally', { skip }, () => {
  test('in the list, in a book, in its title, in filters and in charts', async (t) => {
    const books = hostileTexts.map((text, i) => ({ title: text, author: text, year: 1900 + i }));
    const { page, service } = await openLoggedIn(t, {
      books,
      browser: { viewport: { width: 1280, height: 2000 } },
    });
    await page.getByText(`${hostileTexts.length} books`).waitFor();
    const textsOf = (field: string) => page.locator(`.books td.${field} bdi`).allTextContents();
    assert.deepEqual(await textsOf('title'), hostileTexts);
    assert.deepEqual(await textsOf('author'), hostileTexts);
    for (const [i, text] of [...hostileTexts.entries()].filter(([i]) => i % step === 0)) {
      await page.goto(`${service.url}/?book=${i + 1}&author=${encodeURIComponent(text)}`);
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('heading', { name: 'History' }).waitFor();
      assert.equal(await sheet.getByRole('heading').first().textContent(), text);
    }
    await page.goto(`${service.url}/?view=stats`);
    await page.getByText('Books by decade').waitFor();
    assert.equal(await page.locator('img, iframe, video, base, form[action]').count(), 0);
  });
});
