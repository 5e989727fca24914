import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { openLoggedIn } from '../support/catalogue-page.ts';

const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'Beloved', author: 'Toni Morrison', year: 1987 },
];

/** The text of the focused element, or its value. */
const focused = (page: Page) =>
  page.evaluate('document.activeElement.value || document.activeElement.textContent');

describe('dialogs in a browser', { skip }, () => {
  test('the help says on the machine of the service where the books are, and how to back them up', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByRole('heading', { name: 'Your books on this computer' }).waitFor();
    await help.getByText('then copy the folder').waitFor();
  });

  test('a book that was edited in its sheet is changed back by the Undo of the message over the sheet', async (t) => {
    const { page } = await openLoggedIn(t, { books, address: '?book=1' });
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Edit' }).click();
    await sheet.getByLabel('Year').fill('1816');
    await page.keyboard.press('Enter');
    await page.getByText('“Emma” was saved.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await sheet.getByText('1815').first().waitFor();
  });

  test('Edit moves the focus to the title, and Cancel moves it back', async (t) => {
    const { page } = await openLoggedIn(t, { books, address: '?book=1' });
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Edit' }).click();
    await sheet.getByRole('button', { name: 'Save' }).waitFor();
    assert.equal(await focused(page), 'Emma');
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await sheet.getByRole('button', { name: 'Edit' }).waitFor();
    assert.equal(await focused(page), 'Edit');
  });

  test('a click outside closes a sheet that is only read, and never a form', async (t) => {
    const { page } = await openLoggedIn(t, {
      books,
      address: '?book=1',
      browser: { viewport: { width: 1024, height: 720 } }, // Too narrow for a sheet beside the list.
    });
    const sheet = page.getByRole('dialog', { name: 'Emma' });
    await sheet.getByRole('button', { name: 'Edit' }).click();
    await sheet.getByLabel('Title').fill('Emma, unsaved');
    await page.mouse.click(20, 400);
    assert.equal(await sheet.getByLabel('Title').inputValue(), 'Emma, unsaved');
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await page.mouse.click(20, 400);
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New book' });
    await form.getByLabel('Title').fill('Sanditon');
    await page.mouse.click(20, 400);
    assert.equal(await form.getByLabel('Title').inputValue(), 'Sanditon');
  });

  test('a press outside of a sheet closes nothing if the pointer is released in the sheet', async (t) => {
    const { page } = await openLoggedIn(t, {
      books,
      address: '?book=1',
      browser: { viewport: { width: 1024, height: 720 } },
    });
    const sheet = page.getByRole('dialog', { name: 'Emma' });
    await sheet.waitFor();
    await page.mouse.move(20, 400);
    await page.mouse.down();
    await page.mouse.move(900, 400);
    await page.mouse.up();
    assert.ok(await sheet.isVisible());
    await page.mouse.click(20, 400);
    await sheet.waitFor({ state: 'detached' });
  });

  test('a new book that was closed with Escape can be had back as it was typed', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New book' });
    await form.getByLabel('Title').fill('Sanditon');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByText('The new book was not added.').waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    assert.equal(await form.getByLabel('Title').inputValue(), 'Sanditon');
  });

  test('a dialog that is opened while the browser still goes back from another one stays open', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByText('3 books').waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    // In one task: the browser goes back after it.
    await page.evaluate(`(async () => {
      const changed = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      document.querySelector('dialog .dialog-head button').click();
      await Promise.resolve();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
      await changed;
    })()`);
    const form = page.getByRole('dialog', { name: 'New book' });
    await form.getByLabel('Title').fill('Sanditon');
    await page.goBack();
    await form.waitFor({ state: 'detached' });
    assert.equal(await help.count(), 0);
  });

  test('Back closes a new book and the help, and the page stays', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?sort=title' });
    for (const [key, name] of [
      ['n', 'New book'],
      ['?', 'Keyboard shortcuts'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(page.url(), `${service.url}/?sort=title`);
    }
    await page.getByText('3 books').waitFor();
  });

  test('Enter adds no book without a title; the button for that does', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New book' });
    await form.getByLabel('Title').waitFor();
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Enter');
      await form.getByText('Enter a title.').waitFor();
    }
    await form.getByRole('button', { name: 'Add without a title' }).click();
    await page.getByText('“Untitled” was added.').waitFor();
    await page.getByText('4 books').waitFor();
  });

  test('with “Add another”, books are typed one after the other, each with its Undo', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New book' });
    await form.getByLabel('Add another book after this one').check();
    await form.getByLabel('Title').focus();
    for (const title of ['Sanditon', 'The Watsons', 'Lady Susan']) {
      await page.keyboard.type(title);
      await page.keyboard.press('Enter');
      await page.getByText(`“${title}” was added.`).waitFor();
      assert.equal(await focused(page), '');
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('5 books').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Lady Susan' }).count(), 0);
  });

  test('a book that others delete under an edit is brought back with what was typed', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('button', { name: 'Edit Emma' }).click();
    await page.getByRole('row').getByRole('textbox', { name: 'Year' }).fill('1816');
    await service.request('DELETE', '/book/1', { token: service.token });
    const sheet = page.getByRole('dialog', { name: 'Emma' });
    await sheet.getByText('Somebody else has deleted this book.').waitFor();
    assert.equal(await sheet.getByLabel('Year').inputValue(), '1816');
    await sheet.getByRole('button', { name: 'Restore it with my changes' }).click();
    await page.getByText('“Emma” was saved.').waitFor();
    const { envelope } = await service.request('GET', '/book/1', { token: service.token });
    assert.deepEqual(envelope?.data, { id: 1, ...books[0], year: 1816 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    assert.equal((await service.request('GET', '/book/1', { token: service.token })).status, 404);
  });

  test('of two books in the trash, the one that is restored leaves, and the other stays', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    for (const title of ['Emma', 'Orlando']) {
      await page.getByRole('button', { name: `Delete ${title}` }).click();
      await page.getByText(`“${title}” was deleted.`).waitFor();
    }
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore: Emma' }).click();
    await page.getByText('“Emma” was restored.').waitFor();
    await page.getByRole('button', { name: 'Restore: Emma' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Restore: Orlando' }).waitFor();
  });
});
