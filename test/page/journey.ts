import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { logIn, logOut, titlesOf } from '../support/catalogue-page.ts';

/** What a librarian does on most days, in an empty catalogue: log in, add, search, edit, delete, undo, look at the trash, log out. */
export async function runJourney(page: Page, login: Parameters<typeof logIn>[1]): Promise<void> {
  const add = async (title: string, author: string, year: string) => {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New book' });
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByRole('combobox', { name: 'Author' }).fill(author);
    await dialog.getByLabel('Year').fill(year);
    await dialog.getByRole('button', { name: 'Add book' }).click();
    await page.getByText(`“${title}” was added.`).waitFor();
    await page.getByRole('link', { name: title, exact: true }).waitFor();
  };
  await logIn(page, login);
  await page.getByText('There are no books yet').waitFor();
  await add('Emma', 'Jane Austen', '1815');
  await add('Orlando', 'Virginia Woolf', '1928');
  await add('The Waves', 'Virginia Woolf', '1931');

  await page.getByLabel('Search books').fill('woolf');
  await page.getByText('2 books found').first().waitFor();
  assert.deepEqual(await titlesOf(page), ['Orlando', 'The Waves']);

  await page.getByRole('link', { name: 'Orlando' }).hover();
  await page.getByRole('button', { name: 'Edit Orlando' }).click();
  await page.getByRole('row').getByRole('textbox', { name: 'Title' }).fill('Orlando: A Biography');
  await page.keyboard.press('Enter');
  await page.getByText(/“.*” was saved\./).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Orlando: A Biography' }).click();
  await page.getByRole('dialog').getByText('Changed').waitFor();
  await page.goBack();

  await page.getByRole('link', { name: 'The Waves' }).focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 book found').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 books found').first().waitFor();

  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByText('The trash is empty').waitFor();
  await page.getByRole('link', { name: 'Charts' }).click();
  await page.getByRole('link', { name: /1920–1929/ }).click();
  await page.getByRole('link', { name: 'Orlando: A Biography' }).waitFor();
  await logOut(page);
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
}
