import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, skip } from '../support/browser.ts';
import { openLoggedIn } from '../support/catalogue-page.ts';
import { gatedStore } from '../support/gated-store.ts';
import type { TestService } from '../support/service.ts';

const address = '?view=authors';
const books = [
  { title: 'Emma', author: 'Jane Austen' },
  { title: 'Persuasion', author: 'Jane Austen' },
  { title: 'Sanditon', author: 'Austen, Jane' },
  { title: 'Orlando', author: 'Virginia Woolf' },
  { title: 'Gilgamesh' },
];

async function authorsOf(service: TestService): Promise<string[]> {
  const { envelope } = await service.request('GET', '/books', { token: service.token });
  return (envelope?.data as { author: string }[]).map(({ author }) => author);
}

describe('the authors in a browser', { skip }, () => {
  test('are listed by name or by number, searched, and lead to their books', async (t) => {
    const { page } = await openLoggedIn(t, { books, address });
    const rows = page.locator('.rows li');
    await rows.first().waitFor();
    assert.deepEqual(await rows.allInnerTexts(), [
      'Austen, Jane\n1 book',
      'Jane Austen\n2 books',
      'Virginia Woolf\n1 book',
    ]);
    await assertAccessible(page, 'authors');
    await page.getByRole('radio', { name: 'By number of books' }).check();
    await page.locator('.rows li:first-child', { hasText: 'Jane Austen' }).waitFor();
    await page.getByRole('button', { name: 'Names with a word that begins with W' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Name or part of it').fill('nobody');
    await page.getByText('No author found').waitFor();
    await page.getByLabel('Name or part of it').fill('virg');
    await page.getByRole('link', { name: 'Virginia Woolf' }).click();
    await page.getByText('Orlando').waitFor();
    assert.equal(new URL(page.url()).search, '?author=Virginia+Woolf');
  });

  test('of several spellings of one name, one is chosen for all books, and Undo takes that back', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address });
    await page.getByRole('radio', { name: 'Variants' }).check();
    const group = page.getByRole('group', { name: 'Jane Austen 2 spellings' });
    await group.waitFor();
    await assertAccessible(page, 'variants of authors');
    await group.getByRole('radio').nth(1).check();
    await page.getByRole('button', { name: 'Change 2 books to Austen, Jane' }).click();
    await page.getByText('No name has several spellings').waitFor();
    assert.deepEqual((await authorsOf(service)).slice(0, 3), Array(3).fill('Austen, Jane'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await group.waitFor();
    assert.deepEqual((await authorsOf(service)).slice(0, 3), ['Jane Austen', 'Jane Austen', 'Austen, Jane']);
  });

  test('are renamed in all their books as one undo; if the new name exists, the two become one', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address });
    await page.getByRole('button', { name: 'Rename Jane Austen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename Jane Austen' });
    await dialog.getByText('2 books get the new name.').waitFor();
    const name = dialog.getByRole('combobox', { name: 'New name' });
    await name.fill('Virginia Woolf');
    await dialog.getByText('Virginia Woolf exists already, with 1 book: the two become one.').waitFor();
    await assertAccessible(page, 'an author is renamed');
    await name.fill('JANE AUSTEN');
    await dialog.getByText('become one').waitFor({ state: 'detached' });
    await name.fill('Miss Austen');
    await dialog.getByRole('button', { name: 'Change 2 books' }).click();
    await page.getByText('2 books changed.').waitFor();
    await page.getByRole('link', { name: 'Miss Austen' }).waitFor();
    assert.deepEqual((await authorsOf(service)).slice(0, 3), ['Miss Austen', 'Miss Austen', 'Austen, Jane']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Jane Austen' }).waitFor();
    assert.deepEqual((await authorsOf(service)).slice(0, 2), ['Jane Austen', 'Jane Austen']);
  });

  test('are counted by the service first, which is shown', async (t) => {
    const { store, open } = await gatedStore(t, books);
    const { page } = await openLoggedIn(t, { config: { store }, address });
    await page.getByRole('radio', { name: 'By number of books' }).check();
    await page.getByRole('status').getByText('All authors are being counted').waitFor();
    await page.getByRole('progressbar', { name: 'All authors are being counted' }).waitFor();
    open();
    await page.locator('.rows li:first-child', { hasText: 'Jane Austen' }).waitFor();
  });

  test('fit a narrow screen', async (t) => {
    const { page } = await openLoggedIn(t, { books, address });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('radio', { name: 'Variants' }).check();
    await page.getByRole('group', { name: 'Jane Austen 2 spellings' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  });
});
