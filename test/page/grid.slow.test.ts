import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, skip } from '../support/browser.ts';
import { numberedBooks, openLoggedIn } from '../support/catalogue-page.ts';
import type { TestService } from '../support/service.ts';

const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'Beloved', author: 'Toni Morrison', year: 1987 },
];

type Row = [title: string, author: string, year: number];

/** All books of the service, as rows. */
async function rowsOf(service: TestService): Promise<Row[]> {
  const { envelope } = await service.request('GET', '/books?limit=1000', { token: service.token });
  return (envelope?.data as (typeof books)[]).flat().map(({ title, author, year }) => [title, author, year]);
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Puts the focus on the title of a row. */
async function focusRow(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title, exact: true }).focus();
}

/** Waits until the focus is in a cell with a text. */
async function focusIn(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, text);
}

/** Pastes what another program has copied. */
async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Waits for the script that has the clipboard. */
async function waitForClipboard(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/views-')),
  );
}

const saved = (page: Page, title: string) => page.getByText(`“${title}” was saved.`).waitFor();

describe('the habits of a grid', { skip }, () => {
  test('typing in a cell replaces its text, Enter saves and leads down, Shift+Enter up, and Escape restores', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await focusRow(page, 'Emma');
    await press(page, 'ArrowRight', 'ArrowRight');
    await page.keyboard.type('1816');
    await press(page, 'Enter');
    await page.keyboard.type('1929'); // Nobody waits until the first one is saved.
    await press(page, 'Shift+Enter');
    await saved(page, 'Orlando');
    await focusIn(page, '1816');
    await press(page, 'ArrowLeft', 'ArrowLeft');
    await page.keyboard.type('n?/'); // Elsewhere, these are shortcuts.
    await press(page, 'Escape');
    await focusIn(page, 'Emma');
    assert.deepEqual(await rowsOf(service), [
      ['Emma', 'Jane Austen', 1816],
      ['Orlando', 'Virginia Woolf', 1929],
      ['Beloved', 'Toni Morrison', 1987],
    ]);
  });

  test('F2 and a double click keep the text; Tab leads through the row, and after it to the next one; the row is one undo', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('gridcell', { name: '1815' }).dblclick();
    await page.getByRole('textbox', { name: 'Year' }).waitFor();
    await press(page, 'Escape');
    await focusIn(page, '1815');
    await press(page, 'Home', 'ArrowRight', 'F2', 'End');
    await page.keyboard.type(', a novel');
    await press(page, 'Tab');
    await page.keyboard.type('J. Austen');
    await press(page, 'Tab', 'Tab');
    await saved(page, 'Emma, a novel');
    await focusIn(page, 'Orlando');
    await press(page, 'F2', 'Shift+Tab');
    await focusIn(page, '1815');
    assert.deepEqual((await rowsOf(service))[0], ['Emma, a novel', 'J. Austen', 1815]);
    await press(page, 'Control+z');
    await page.getByText('Undone.').waitFor();
    assert.deepEqual((await rowsOf(service))[0], ['Emma', 'Jane Austen', 1815]);
  });

  test('authors are suggested in the row, and chosen with the keyboard', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await focusRow(page, 'Orlando');
    await press(page, 'ArrowRight');
    await page.keyboard.type('aust');
    await page.getByRole('option', { name: 'Jane Austen' }).waitFor();
    await assertAccessible(page, 'suggestions in a row');
    await press(page, 'ArrowDown', 'Enter');
    await saved(page, 'Orlando');
    assert.equal((await rowsOf(service))[1]?.[1], 'Jane Austen');
  });

  test('a range is copied and pasted, one value fills a range, and Ctrl+D fills down', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await focusRow(page, 'Emma');
    await press(page, 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown');
    assert.equal(await page.locator('td[aria-selected=true]').count(), 4);
    await waitForClipboard(page);
    await assertAccessible(page, 'a range of cells');
    await press(page, 'Control+c');
    await page.getByText('4 cells copied.').waitFor({ state: 'attached' });
    await focusRow(page, 'Orlando');
    await press(page, 'ArrowRight', 'Control+v');
    await page.getByText('2 books changed.').waitFor();
    assert.deepEqual(await rowsOf(service), [
      ['Emma', 'Jane Austen', 1815],
      ['Orlando', 'Jane Austen', 1815],
      ['Beloved', 'Virginia Woolf', 1928],
    ]);
    await page.getByRole('gridcell', { name: '1815' }).first().click();
    await page.getByRole('gridcell', { name: '1928' }).click({ modifiers: ['Shift'] });
    await pasteText(page, 'MCM\r\n');
    await page.getByText('3 books changed.').waitFor();
    assert.deepEqual(
      (await rowsOf(service)).map(([, , year]) => year),
      [1900, 1900, 1900],
    );
    await press(page, 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d');
    await page.getByText('1 book changed.').waitFor();
    assert.deepEqual(
      (await rowsOf(service)).map(([, author]) => author),
      Array(3).fill('Jane Austen'),
    );
  });

  test('many cells from Excel are changed after a question, as one undo; what does not fit is named, and other changes stay', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: numberedBooks(250), address: '?sort=id' });
    const before = await rowsOf(service);
    await waitForClipboard(page);
    await focusRow(page, 'Book 3');
    const lines = Array.from(
      { length: 248 },
      (_, i) => `"Title\n${i}"\tAuthor ${i}\t${i === 1 ? 'soon' : 2000}`,
    );
    await pasteText(page, [...lines, 'over\tover\tover', ''].join('\r\n'));
    const dialog = page.getByRole('dialog', { name: 'Change 743 cells in 248 books?' });
    await dialog.getByText('Left out, beyond the last book or column: 3 cells.').waitFor();
    await dialog.getByText('Left out, because it is not a year: “soon”.').waitFor();
    await assertAccessible(page, 'a paste');
    await service.request('PUT', '/book/10', { token: service.token, body: { title: 'Theirs' } });
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page
      .getByText('247 books changed. Changed by somebody else meanwhile, and left as it is: 1 book.')
      .waitFor();
    const after = await rowsOf(service);
    assert.deepEqual(after.slice(0, 4), [
      ...before.slice(0, 2),
      ['Title 0', 'Author 0', 2000],
      ['Title 1', 'Author 1', before[3]?.[2]],
    ]);
    assert.deepEqual([after[9]?.[0], after[249]?.[0]], ['Theirs', 'Title 247']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone.').waitFor();
    const undone = await rowsOf(service);
    assert.deepEqual(undone, before.with(9, ['Theirs', before[9]?.[1] ?? '', before[9]?.[2] ?? 0]));
  });

  test('Delete empties an author or a year, and no title', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await focusRow(page, 'Emma');
    await press(page, 'ArrowRight', 'Delete');
    await page.getByText('1 book changed.').waitFor();
    assert.deepEqual((await rowsOf(service))[0], ['Emma', '', 1815]);
    await press(page, 'ArrowLeft', 'Shift+ArrowDown', 'Delete');
    await page
      .getByText('There is nothing to change. Left out, because a book keeps its title: 2 blank cells.')
      .waitFor();
    assert.equal((await rowsOf(service)).length, 3);
  });

  test('while others add books above, keys and pastes are for the book with the focus, and a range ends', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?sort=-id' });
    const add = async (title: string) => {
      await service.request('POST', '/book', { token: service.token, body: { title, author: 'Them' } });
      await page.getByRole('link', { name: title, exact: true }).waitFor();
    };
    await waitForClipboard(page);
    await focusRow(page, 'Orlando');
    await press(page, 'ArrowRight');
    await add('First');
    await press(page, 'Delete');
    await page.getByText('1 book changed.').waitFor();
    await add('Second');
    await pasteText(page, 'V. Woolf');
    await page.waitForFunction(() => document.activeElement?.textContent === 'V. Woolf');
    await press(page, 'Shift+ArrowDown');
    assert.equal(await page.locator('td[aria-selected=true]').count(), 2);
    await add('Third');
    assert.equal(await page.locator('td[aria-selected=true]').count(), 0);
    await pasteText(page, 'Austen');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Austen');
    assert.deepEqual(
      (await rowsOf(service)).map(([, author]) => author),
      ['Austen', 'V. Woolf', 'Toni Morrison', 'Them', 'Them', 'Them'],
    );
  });

  test('a new book after another one keeps the author; rows of a spreadsheet are pasted from there, too', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByText('3 books').waitFor();
    await page.getByRole('button', { name: 'New book' }).click();
    const dialog = page.getByRole('dialog', { name: 'New book' });
    await dialog.getByLabel('Add another book after this one').check();
    await dialog.getByLabel('Title').fill('Sanditon');
    await dialog.getByRole('combobox', { name: 'Author' }).fill('Jane Austen');
    await press(page, 'Enter');
    await dialog.getByText('“Sanditon” was added.').waitFor();
    assert.equal(await dialog.getByRole('combobox', { name: 'Author' }).inputValue(), 'Jane Austen');
    assert.equal(await dialog.getByLabel('Title').inputValue(), '');
    await dialog.getByRole('button', { name: 'Paste rows' }).click();
    await page.getByLabel('Or paste rows').waitFor();
    assert.equal(await page.getByText('The new book was not added.').count(), 0);
  });
});
