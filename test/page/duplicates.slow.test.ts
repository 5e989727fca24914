import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, skip } from '../support/browser.ts';
import { openLoggedIn } from '../support/catalogue-page.ts';
import { gatedStore } from '../support/gated-store.ts';
import type { TestService } from '../support/service.ts';

const address = '?view=duplicates';
const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'EMMA!', author: 'jane austen', year: 1815 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1929 },
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
];

async function idsOf(service: TestService): Promise<number[]> {
  const { envelope } = await service.request('GET', '/books', { token: service.token });
  return (envelope?.data as { id: number }[]).map(({ id }) => id);
}

describe('merging duplicates in a browser', { skip }, () => {
  test('one book of a group is kept, the others are deleted, and Undo brings them back', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address });
    const group = page.getByRole('group', { name: 'Emma 3 similar books' });
    await group.waitFor();
    await assertAccessible(page, 'duplicates');
    await group.getByRole('radio').nth(1).check();
    const merged = page.getByRole('group', { name: 'EMMA! 3 similar books' });
    await merged.getByRole('button', { name: 'Delete the 2 others' }).click();
    await merged.getByText('Kept book 2; 2 duplicates deleted.').waitFor();
    assert.deepEqual(await idsOf(service), [2, 3, 4]);
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Undo');
    await assertAccessible(page, 'merged duplicates');
    await page.keyboard.press('Enter');
    await merged.getByRole('button', { name: 'Delete the 2 others' }).waitFor();
    assert.deepEqual(await idsOf(service), [1, 2, 3, 4, 5]);
  });

  test('levels find other groups; without any, that is said', async (t) => {
    const { page } = await openLoggedIn(t, { books: books.slice(2, 4), address });
    await page.getByText('No duplicates').waitFor();
    await assertAccessible(page, 'no duplicates');
    await page.getByRole('radio', { name: 'Other year' }).check();
    const group = page.getByRole('group', { name: 'Orlando 2 similar books' });
    await group.waitFor();
    assert.equal(new URL(page.url()).search, '?view=duplicates&level=year');
    await page.reload();
    await group.getByRole('link', { name: 'Book 2' }).click();
    await page.getByRole('dialog', { name: 'Orlando' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Book 2');
    assert.equal(await group.getByRole('radio').first().isChecked(), true);
    await page.goBack();
    await page.getByText('No duplicates').waitFor();
  });

  test('of a large group, the first books are shown, and all on demand', async (t) => {
    const many = Array.from({ length: 120 }, () => ({ title: 'Twin' }));
    const { page } = await openLoggedIn(t, { books: many, address });
    const group = page.getByRole('group', { name: 'Twin 120 similar books' });
    await group.waitFor();
    assert.equal(await group.getByRole('radio').count(), 50);
    await group.getByRole('button', { name: 'Show all 120' }).click();
    await group.getByRole('radio').nth(119).waitFor();
  });

  test('a book that somebody has changed meanwhile is not deleted', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address });
    const group = page.getByRole('group', { name: 'Emma 3 similar books' });
    await group.waitFor();
    await service.request('PUT', '/book/5', { token: service.token, body: { title: 'Emma II' } });
    await group.getByRole('button', { name: 'Delete the 2 others' }).click();
    await group.getByText('A book of this group has just changed.').waitFor();
    assert.deepEqual(await idsOf(service), [1, 2, 3, 4, 5]);
  });
});

describe('the first search for duplicates in a browser', { skip }, () => {
  test('shows its progress, then the groups; nothing is asked once the view is left', async (t) => {
    const { store, open } = await gatedStore(t, books);
    const { page, service } = await openLoggedIn(t, { config: { store } });
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/duplicates') asked++;
    });
    await page.clock.install();
    await page.goto(`${service.url}/${address}`);
    const progress = page.getByText(/^Comparing the books, about [1-9][0-9]* s left$/);
    await progress.waitFor();
    assert.equal(await progress.getAttribute('role'), 'status');
    assert.equal(
      await page.getByRole('progressbar', { name: 'Comparing the books' }).getAttribute('max'),
      '100',
    );
    await assertAccessible(page, 'search for duplicates');
    const repeated = page.waitForRequest('**/duplicates*');
    await page.clock.fastForward('00:10');
    await repeated;
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('The trash is empty').waitFor();
    const before = asked;
    await page.clock.fastForward('00:20');
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    assert.equal(asked, before);
    await page.getByRole('link', { name: 'Duplicates' }).click();
    await progress.waitFor();
    open();
    await page.clock.fastForward('00:10');
    await page.getByRole('group', { name: 'Emma 3 similar books' }).waitFor();
    assert.equal(await progress.count(), 0);
  });
});
