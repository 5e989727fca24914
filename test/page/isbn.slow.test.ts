import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isbnOf, startBookSource } from '../support/book-source.ts';
import { skip } from '../support/browser.ts';
import { openLoggedIn } from '../support/catalogue-page.ts';
import { sized } from '../support/size.ts';

/** More than are looked up at once. */
const count = sized({ short: 50, long: 500 });
const emma = { title: 'Emma', authors: [{ name: 'Jane Austen' }], publish_date: '2003' };

describe('books by their ISBN in a browser', { skip }, () => {
  test('a scanned number fills in a new book, and Enter does not add it', async (t) => {
    const { openLibrary } = await startBookSource(t, { '9780141439587': emma });
    const { page, service } = await openLoggedIn(t, { config: { bookLookup: openLibrary } });
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New book' });
    const field = form.getByLabel('ISBN', { exact: true });
    await field.fill('9780141439588');
    await page.keyboard.press('Enter');
    await form.getByText('This is not an ISBN, or a digit is wrong.').waitFor();
    await field.fill('9780140620108');
    await page.keyboard.press('Enter');
    await form.getByText('No book is known with this ISBN.').waitFor();
    await field.fill('978-0-14-143958-7');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=title]')?.value === 'Emma',
    );
    await form.getByRole('status').getByText('Emma, Jane Austen, 2003').waitFor();
    assert.equal(await form.getByRole('combobox', { name: 'Author' }).inputValue(), 'Jane Austen');
    assert.equal(await form.getByLabel('Year').inputValue(), '2003');
    await form.getByRole('button', { name: 'Add book' }).click();
    await page.getByText('“Emma” was added.').waitFor();
    const { envelope } = await service.request('GET', '/books', { token: service.token });
    assert.deepEqual(envelope?.data, [{ id: 1, title: 'Emma', author: 'Jane Austen', year: 2003 }]);
  });

  test(`${count} numbers, scanned and pasted, are as many books; ten unknown ones are named; one undo takes all back`, async (t) => {
    const numbers = Array.from({ length: count }, (_, i) => isbnOf(i));
    const unknown = Array.from({ length: 10 }, (_, i) => isbnOf(1000 + i));
    const books = Object.fromEntries(numbers.map((isbn, i) => [isbn, { title: `Book ${i}` }]));
    const { openLibrary } = await startBookSource(t, books);
    const { page, service } = await openLoggedIn(t, { config: { bookLookup: openLibrary } });
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Scan many' }).click();
    const dialog = page.getByRole('dialog', { name: 'Scan many' });
    const field = dialog.getByLabel('ISBN', { exact: true });
    for (const isbn of numbers.slice(0, 5)) {
      await page.keyboard.type(isbn);
      await page.keyboard.press('Enter');
    }
    await field.evaluate(
      (element, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', text);
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      },
      [...numbers.slice(5), ...unknown].join('\r\n'),
    );
    await dialog.getByText(`${count} books added, 10 to be looked at`).waitFor({ timeout: 120_000 });
    for (const isbn of unknown) await dialog.getByText(isbn, { exact: true }).waitFor();
    assert.equal(await dialog.getByText('Not known: type its title').count(), 10);
    const [first = ''] = unknown;
    await dialog.getByLabel(`Title: ${first}`).fill('Typed');
    await page.keyboard.press('Enter');
    await dialog.getByText(`${count + 1} books added, 9 to be looked at`).waitFor();
    const stored = async () => {
      const { headers } = await service.request('GET', '/books?limit=1&count=true', { token: service.token });
      return headers['x-total-count'];
    };
    assert.equal(await stored(), String(count + 1));
    await dialog.getByRole('button', { name: 'Undo all' }).click();
    await dialog.getByText('Undone.').waitFor();
    assert.equal(await stored(), '0');
  });

  test('without the setting, there is no such field', async (t) => {
    const { page } = await openLoggedIn(t);
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New book' }).getByLabel('Title').waitFor();
    assert.equal(await page.getByLabel('ISBN').count(), 0);
  });
});
