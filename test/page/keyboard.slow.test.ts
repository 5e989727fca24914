import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { accountOf, numberedBooks, openCatalogue, openLoggedIn } from '../support/catalogue-page.ts';
import { credentials } from '../support/service.ts';

/** The text of the focused element, or its label; empty if there is none. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element === document.body ? '' : element?.textContent || (element?.ariaLabel ?? '');
  });

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).includes(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

describe('the keyboard alone', { skip }, () => {
  test('logs in, searches, adds, edits, deletes, undoes and logs out', async (t) => {
    const { page } = await openCatalogue(t, { books: numberedBooks(30) });
    await page.getByLabel('Username').waitFor();
    await page.keyboard.type(credentials.username);
    await press(page, 'Tab');
    await page.keyboard.type(credentials.password);
    await press(page, 'Enter');
    await page.getByText('30 books').waitFor();

    await press(page, '/');
    await page.keyboard.type('ada');
    await page.getByText('10 books found').first().waitFor();

    await tabTo(page, 'New book');
    await press(page, 'n');
    await page.getByRole('dialog', { name: 'New book' }).waitFor();
    await page.keyboard.type('Adam Bede');
    await press(page, 'Enter');
    await page.getByText('“Adam Bede” was added.').waitFor();
    await page.getByText('11 books found').first().waitFor();
    assert.equal(await focused(page), 'New book');

    await tabTo(page, 'Adam Bede'); // Its title begins with the words, so it comes first.
    await press(page, 'ArrowDown', 'F2');
    await page.getByRole('row').getByRole('textbox', { name: 'Title' }).waitFor();
    await page.keyboard.type('Ada Two');
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'Ada Two' }).waitFor();
    await page.locator('a:focus').waitFor(); // In the next row.

    await press(page, 'Delete');
    await page.getByText(/“.*” was deleted\./).waitFor();
    await page.getByText('10 books found').first().waitFor();
    await tabTo(page, 'Undo');
    await press(page, 'Enter');
    await page.getByText('11 books found').first().waitFor();

    await press(page, '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press(page, 'Escape');
    await tabTo(page, 'Account and settings');
    await press(page, 'Enter');
    await tabTo(page, 'Log out');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('finds no shortcut in a letter or a sign that is turned off, now and at the next start', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(3) });
    await page.getByText('3 books').waitFor();
    await accountOf(page).click();
    await page.getByLabel('Single-key shortcuts').selectOption('Off');
    await press(page, 'Escape');
    for (let i = 0; i < 2; i++) {
      await press(page, 'n', '?', '/');
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.notEqual(await page.evaluate('document.activeElement.id'), 'search');
      await page.reload();
      await page.getByText('3 books').waitFor();
    }
    await accountOf(page).click();
    await page.getByLabel('Single-key shortcuts').selectOption('On');
    await press(page, 'Escape', 'n');
    await page.getByRole('dialog', { name: 'New book' }).waitFor();
  });

  test('moves in the table by arrows, pages and ends, over rows that were not rendered', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(450) });
    await page.getByRole('link', { name: 'Book 1', exact: true }).focus();
    for (let i = 0; i < 60; i++) await press(page, 'ArrowDown');
    assert.equal(await focused(page), 'Book 61');
    await press(page, 'ArrowRight');
    assert.equal(await focused(page), 'Ada Archer');
    await press(page, 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'PageUp');
    assert.match(await focused(page), /^Book [345]\d$/);
    for (let i = 0; i < 3; i++) {
      await press(page, 'Control+End');
      await page.locator('td:focus, td :focus').waitFor();
    }
    await press(page, 'Control+Home', 'ArrowRight');
    assert.equal(await focused(page), 'Book 1');
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'Book 1' }).waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await focused(page), 'Book 1');
  });
});
