import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skip } from '../support/browser.ts';
import { numberedBooks, openLoggedIn } from '../support/catalogue-page.ts';

describe('a book beside the list, in a wide window', { skip }, () => {
  test('leaves the list usable, shows one book after another, and Back closes the last one', async (t) => {
    const { page, service } = await openLoggedIn(t, {
      books: numberedBooks(20),
      browser: { viewport: { width: 1440, height: 900 } },
    });
    await page.getByRole('link', { name: 'Book 3', exact: true }).click();
    const sheet = (name: string) => page.getByRole('dialog', { name, exact: true });
    await sheet('Book 3').waitFor();
    await page.getByRole('link', { name: 'Book 5', exact: true }).click();
    await sheet('Book 5').waitFor();
    await page.getByRole('button', { name: 'Next book' }).click();
    await sheet('Book 6').waitFor();
    assert.equal(
      await page.evaluate('document.activeElement.getAttribute("aria-label")'),
      'Next book',
      'the button keeps the focus',
    );
    await page.getByRole('button', { name: 'Previous book' }).click();
    await sheet('Book 5').waitFor();
    assert.equal(await page.locator('tr[aria-current=true] .name').innerText(), 'Book 5');
    await page.goBack();
    await sheet('Book 5').waitFor({ state: 'detached' });
    assert.equal(page.url(), `${service.url}/`);
    await page.getByRole('link', { name: 'Book 1', exact: true }).click();
    await sheet('Book 1').waitFor();
    await page.getByRole('button', { name: 'Previous book' }).click({ force: true });
    await sheet('Book 1').waitFor();
    await page.keyboard.press('Escape');
    await sheet('Book 1').waitFor({ state: 'detached' });
  });

  test('is alone while it is edited: a click on the list would lose what was typed', async (t) => {
    const { page } = await openLoggedIn(t, {
      books: numberedBooks(20),
      address: '?book=3',
      browser: { viewport: { width: 1440, height: 900 } },
    });
    const sheet = page.getByRole('dialog', { name: 'Book 3' });
    await sheet.getByRole('button', { name: 'Edit' }).click();
    await sheet.getByLabel('Title').fill('Changed');
    assert.ok(await sheet.evaluate((dialog) => dialog.matches(':modal')));
    await sheet.getByLabel('Title').press('Enter');
    await page.getByRole('dialog', { name: 'Changed' }).waitFor();
    await page.getByRole('rowheader', { name: 'Changed' }).waitFor();
    assert.ok(!(await page.getByRole('dialog').evaluate((dialog) => dialog.matches(':modal'))));
  });
});
