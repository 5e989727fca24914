import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawQr } from '../../src/page/ui/qr.tsx';
import { openPage, skip } from '../support/browser.ts';
import { numberedBooks, openCatalogue } from '../support/catalogue-page.ts';

describe('a reader who shares a book', { skip }, () => {
  test('copies its link, and gets a QR code where a phone can open the address', async (t) => {
    const { page, service } = await openCatalogue(t, {
      books: numberedBooks(3),
      config: { publicRead: true },
      address: '?q=book&book=2',
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('dialog', { name: 'Book 2' }).getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this book' });
    const address = `${service.url}/?book=2`;
    assert.equal(await dialog.getByLabel('Link to the book').inputValue(), address);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByText('The link has been copied.').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await dialog.getByText('This link works on this computer only.').waitFor();
    assert.equal(await dialog.getByRole('img').count(), 0);
    assert.equal(await dialog.getByText('Only those who can log in').count(), 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Book 2' }).waitFor();

    const named = `http://books.localhost:${service.port}/?book=2`; // Chromium resolves it.
    const other = await openPage(t, named);
    await other.getByRole('button', { name: 'Share' }).click();
    const code = other.getByRole('img', { name: 'QR code of the link to this book' });
    await code.waitFor();
    assert.equal(await code.locator('path').last().getAttribute('d'), drawQr(named).path);
    await other.reload();
    await code.waitFor();
  });
});
