import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newImportId } from '../../src/catalogue/batch.ts';
import { assertAccessible, openPage, skip } from '../support/browser.ts';
import { logIn, logOut, numberedBooks, openLoggedIn, titlesOf } from '../support/catalogue-page.ts';
import type { TestService } from '../support/service.ts';

const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'Beloved', author: 'Toni Morrison', year: 1987 },
];

async function bookOf(service: TestService, id: number): Promise<unknown> {
  return (await service.request('GET', `/book/${id}`, { token: service.token })).envelope?.data;
}

/** Begins to edit a row. */
async function edit(page: Page, title: string) {
  await page.getByRole('link', { name: title, exact: true }).hover();
  await page.getByRole('button', { name: `Edit ${title}` }).click();
  return page.getByRole('row').getByRole('textbox', { name: 'Title' });
}

describe('changing in a browser', { skip }, () => {
  test('a book is added, with suggested authors and a warning about the same book; the form survives a reload', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByText('3 books').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New book' });
    await dialog.getByLabel('Title').fill('emma');
    await dialog.getByRole('combobox', { name: 'Author' }).pressSequentially('aus');
    await dialog.getByRole('option', { name: 'Jane Austen' }).click();
    await dialog.getByText('The catalogue may have this book already').waitFor();
    await page.reload();
    assert.equal(await dialog.getByRole('combobox', { name: 'Author' }).inputValue(), 'Jane Austen');
    await dialog.getByLabel('Title').fill('Sanditon');
    await dialog.getByLabel('Year').fill('18x7');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a whole number.').waitFor();
    await dialog.getByLabel('Year').fill('1817');
    await page.keyboard.press('Enter');
    await page.getByText('“Sanditon” was added.').waitFor();
    await page.getByText('4 books').waitFor();
    assert.deepEqual(await bookOf(service, 4), {
      id: 4,
      title: 'Sanditon',
      author: 'Jane Austen',
      year: 1817,
    });
  });

  test('a row is edited in its place: Enter saves, Escape cancels, Tab moves, Undo takes it back', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const title = await edit(page, 'Orlando');
    await title.fill('Flush');
    await page.keyboard.press('Escape');
    assert.ok((await titlesOf(page)).includes('Orlando'));
    await page.keyboard.press('F2');
    await page.getByRole('row').getByRole('textbox', { name: 'Title' }).fill('The Waves');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1931');
    await page.keyboard.press('Enter');
    await page.getByText(/“.*” was saved\./).waitFor();
    assert.deepEqual(await bookOf(service, 2), {
      id: 2,
      title: 'The Waves',
      author: 'Virginia Woolf',
      year: 1931,
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('link', { name: 'Orlando' }).waitFor();
  });

  test('what somebody else has saved meanwhile is shown beside mine, and not overwritten unasked', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const change = (body: object) => service.request('PUT', '/book/1', { token: service.token, body });
    await (await edit(page, 'Emma')).fill('Emma (mine)');
    await change({ title: 'Emma (theirs)', year: 1816 });
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this book' });
    await dialog.getByRole('cell', { name: 'Emma (theirs)' }).waitFor();
    await dialog.getByRole('cell', { name: 'Emma (mine)' }).waitFor();
    assert.deepEqual(await bookOf(service, 1), {
      id: 1,
      title: 'Emma (theirs)',
      author: 'Jane Austen',
      year: 1816,
    });
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText(/“.*” was saved\./).waitFor();
    assert.deepEqual(await bookOf(service, 1), {
      id: 1,
      title: 'Emma (mine)',
      author: 'Jane Austen',
      year: 1816, // Changed by them only.
    });
  });

  test('what somebody else has changed in another field is kept, and the message says so', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await (await edit(page, 'Emma')).fill('Emma (mine)');
    await service.request('PUT', '/book/1', { token: service.token, body: { year: 1816 } });
    await page.keyboard.press('Enter');
    await page.getByText('“Emma (mine)” was saved, with what somebody else has just changed.').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(await bookOf(service, 1), {
      id: 1,
      title: 'Emma (mine)',
      author: 'Jane Austen',
      year: 1816,
    });
  });

  test('books that leave a filtered list by their change can be shown', async (t) => {
    const { page } = await openLoggedIn(t, { books, address: '?author=Jane%20Austen' });
    await page.getByRole('checkbox', { name: 'Select Emma' }).check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Change 1 book' });
    await form.getByRole('combobox', { name: 'Author' }).fill('J. Austen');
    page.once('dialog', (question) => void question.dismiss());
    await form.getByRole('button', { name: 'Close' }).click();
    assert.equal(await form.getByRole('combobox', { name: 'Author' }).inputValue(), 'J. Austen');
    await form.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('No book matches').waitFor();
    await page.getByRole('button', { name: 'Show the books' }).click();
    await page.getByRole('link', { name: 'Emma' }).waitFor();
  });

  test('a message with an undo goes after twenty seconds, but not while it has the focus', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.clock.install();
    await page.reload();
    await page.getByRole('link', { name: 'Beloved' }).focus();
    await page.keyboard.press('Delete');
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.focus();
    await page.clock.runFor(30_000);
    await undo.blur();
    await page.clock.runFor(19_000);
    assert.equal(await undo.count(), 1);
    await page.clock.runFor(2000);
    await undo.waitFor({ state: 'detached' });
  });

  test('the browser asks before it leaves a page that undoes', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByRole('link', { name: 'Beloved' }).focus();
    await page.keyboard.press('Delete');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/undo', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    const asked = page.waitForEvent('dialog');
    // Not `page.reload()`, which would wait for the load that does not come.
    const leaving = page.evaluate(() => {
      location.reload();
    });
    const question = await asked;
    assert.equal(question.type(), 'beforeunload');
    await question.dismiss();
    release();
    await page.getByText('Undone.').waitFor();
    await leaving;
  });

  test('a deleted book comes back by Undo, and from the trash', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.getByRole('link', { name: 'Beloved' }).focus();
    await page.keyboard.press('Delete');
    await page.getByText(/“.*” was deleted\./).waitFor();
    await page.getByText('2 books').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 books').waitFor();
    await page.getByRole('link', { name: 'Beloved' }).hover();
    await page.getByRole('button', { name: 'Delete Beloved' }).click();
    await page.getByText('2 books').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore: Beloved' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.goBack();
    await page.getByText('3 books').waitFor();
  });

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const moves = reducedMotion === 'no-preference';
    test(`with ${reducedMotion} of motion, a saved row ${moves ? 'flashes' : 'does not flash'}, and those below a deleted one ${moves ? 'move up' : 'are just there'}`, async (t) => {
      const { page } = await openLoggedIn(t, { books });
      await page.emulateMedia({ reducedMotion });
      await page.evaluate(() => {
        const seen: string[] = [];
        Object.assign(globalThis, { seen });
        addEventListener('animationstart', ({ animationName }) => {
          seen.push(animationName);
        });
        Element.prototype.animate = function () {
          seen.push(`row ${this.ariaRowIndex ?? ''}`);
          return new Animation();
        };
      });
      await (await edit(page, 'Emma')).fill('Emma!');
      await page.keyboard.press('Enter');
      await page.getByRole('row').filter({ hasText: 'Emma!' }).waitFor();
      await page.locator('tr.saved').waitFor({ state: moves ? 'detached' : 'attached' });
      await page.getByRole('link', { name: 'Orlando' }).focus();
      await page.keyboard.press('Delete');
      await page.getByText('2 books').waitFor();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Beloved');
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
      const ofRows = seen.filter((name) => name === 'saved' || name.startsWith('row'));
      assert.deepEqual([...new Set(ofRows)], moves ? ['saved', 'row 3'] : []);
    });
  }

  test('the activity shows what happened, newest first, and takes it back', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('link', { name: 'Beloved' }).focus();
    await page.keyboard.press('Delete');
    await page.getByText(/“.*” was deleted\./).waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    const rows = page.getByRole('main').getByRole('listitem');
    await rows.nth(1).waitFor();
    const texts = async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0]);
    const [deleted, added] = ['1 book deleted: Beloved', '3 books added: Beloved, Orlando, Emma'];
    assert.deepEqual(await texts(), [deleted, added]);
    await page.getByRole('button', { name: /^Undo: 1 book deleted/ }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByText('Undo: 1 book restored').waitFor();
    assert.deepEqual(await texts(), ['Undo: 1 book restored: Beloved', deleted, added]);
    await rows.nth(1).getByText('Nothing left to undo').waitFor();
    // Somebody else's change arrives by itself.
    const batch = { Batch: 'by-somebody-else' };
    await service.request('PUT', '/book/1', { token: service.token, body: { year: 1 }, headers: batch });
    await page.getByText('1 book changed').waitFor();
    await page.reload();
    await page.getByText('1 book changed').waitFor();
    await page.getByRole('link', { name: 'Books', exact: true }).click();
    await page.getByText('3 books').waitFor();
  });

  test('the activity goes on where its first part ends, and says when there is none', async (t) => {
    const { page, service } = await openLoggedIn(t, { address: '?view=activity' });
    await page.getByText('Nothing has happened yet').waitFor();
    for (let i = 0; i < 60; i++)
      await service.request('POST', '/books', {
        token: service.token,
        body: [{}, {}], // Neighbours of one book each would be one entry.
        headers: { Batch: `batch-${i}-of-60` },
      });
    await page.reload(); // Else the first part may be one of fewer.
    await page.getByRole('button', { name: 'Show more' }).click();
    const rows = page.getByRole('main').getByRole('listitem');
    await rows.nth(59).waitFor();
    // A change of somebody else leaves all that is shown.
    const headers = { Batch: 'by-somebody-else' };
    await service.request('PUT', '/book/1', { token: service.token, body: { year: 1 }, headers });
    await page.getByText('1 book changed').waitFor();
    assert.equal(await rows.count(), 60);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(60).waitFor();
  });

  test('the activity names the file of an import, joins neighbours, and shows the books of an entry', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const { token } = service;
    const headers = { Batch: newImportId('books.csv') };
    await service.request('POST', '/books', { token, body: numberedBooks(60), headers });
    for (const id of [1, 2])
      await service.request('DELETE', `/book/${id}`, { token, headers: { Batch: `delete-${id}-alone` } });
    await page.getByRole('link', { name: 'Activity' }).click();
    const entries = page.locator('main > .view > .rows > li');
    await entries.nth(2).waitFor();
    assert.deepEqual(
      (await entries.allInnerTexts()).map((text) => text.split('\n')[0]),
      [
        '2 books deleted: Orlando, Emma',
        'books.csv: 60 books added: Book 60, Book 59, Book 58, …',
        '3 books added: Beloved, Orlando, Emma',
      ],
    );
    await entries.nth(0).getByText('Show the books').click();
    await entries
      .nth(0)
      .getByRole('button', { name: /^Undo: 1 book deleted/ })
      .nth(1)
      .click();
    await page.getByText('Undo: 1 book restored: Emma').waitFor();
    const imported = entries.filter({ hasText: 'books.csv' });
    await imported.getByText('Show the books').click();
    await imported.getByText('and 10 more').waitFor();
    await assertAccessible(page, 'activity');
    await imported.getByRole('link', { name: 'Book 11', exact: true }).click();
    await page.getByRole('dialog', { name: 'Book 11' }).waitFor();
  });

  test('an undo that was interrupted is named in the activity, and goes on as the same undo', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: numberedBooks(1500) });
    const { token } = service;
    const { envelope } = await service.request('GET', '/batches', { token });
    const [{ batch }] = envelope?.data as [{ batch: string }];
    await service.request('POST', `/batch/${batch}/undo`, { token }); // One step of it.
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('Undo incomplete: 1,000 of 1,500').waitFor();
    await page.getByRole('button', { name: /^Continue: Undo: 1,500 books added/ }).click();
    await page.getByText('Nothing left to undo').waitFor();
    await page.getByText('Undo: 1,500 books deleted').waitFor();
    assert.equal(await page.locator('main > .view > .rows > li').count(), 2);
  });

  test('a restored book leaves the trash, and the focus goes to the next one', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    for (const id of [1, 2]) await service.request('DELETE', `/book/${id}`, { token: service.token });
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore: Emma' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Restore: Emma' }).waitFor({ state: 'detached' });
    const rows = page.getByRole('main').getByRole('listitem');
    assert.equal(await rows.count(), 1);
    assert.equal(await page.locator('li:focus').innerText(), await rows.first().innerText());
  });

  test('while an import is undone in the activity, the list is not read for each book, and the focus stays', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: numberedBooks(600), address: '?view=activity' });
    const button = page.getByRole('button', { name: /^Undo: 600 books added/ });
    await button.waitFor();
    let readings = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/batches') readings++;
    });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Undone.').waitFor();
    await page.getByText('Undo: 600 books deleted').waitFor();
    const focused = page.locator('li:focus');
    assert.match(await focused.innerText(), /^600 books added:.*Nothing left to undo/s);
    // The feed is read to its end: what comes last is shown.
    const [body, headers] = [{ title: 'Later' }, { Batch: 'the-last-one' }];
    await service.request('POST', '/book', { token: service.token, body, headers });
    await page.getByText('1 book added').waitFor();
    assert.ok(readings < 100, `${readings} readings`);
  });

  test('an earlier state of a book is restored from its history', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?book=1' });
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Edit' }).click();
    await sheet.getByLabel('Title').fill('Emma, again');
    await page.keyboard.press('Enter');
    await sheet.getByRole('heading', { name: 'Emma, again' }).waitFor();
    const change = sheet.getByRole('listitem').filter({ hasText: 'Changed' });
    assert.match(await change.innerText(), /Title\s+Before:\s+Emma\s*→\s*Emma, again/);
    await sheet.getByRole('button', { name: /Restore the state/ }).click();
    await sheet.getByRole('heading', { name: 'Emma', exact: true }).waitFor();
    assert.deepEqual(await bookOf(service, 1), { id: 1, ...books[0] });
  });

  test('all books of a query are changed and deleted, and come back by Undo', async (t) => {
    const { page, service } = await openLoggedIn(t, {
      books: numberedBooks(300),
      address: '?author=Ada+Archer',
    });
    await page.getByText('100 books found').first().waitFor();
    await page.getByRole('checkbox', { name: 'Select Book 1', exact: true }).check();
    await page.getByRole('group', { name: '1 book selected' }).waitFor();
    await page.getByRole('button', { name: 'Select all 100' }).click();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 100 books' });
    await dialog.getByLabel('Year').fill('2000');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('100 books changed.').waitFor();
    const ofYear = async () => {
      const found = await service.request('GET', '/books?year=2000&limit=1&count=true', {
        token: service.token,
      });
      return Number(found.headers['x-total-count']);
    };
    assert.equal(await ofYear(), 100);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    assert.equal(await ofYear(), 0);
    await page.getByRole('checkbox', { name: 'Select all loaded books' }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('100 books deleted.').waitFor();
    await page.getByText('No books found').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('100 books found').first().waitFor();
  });

  test('what others change appears, and the focus stays', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('link', { name: 'Orlando' }).focus();
    const other = await openPage(t, `${service.url}/`);
    await logIn(other);
    await (await edit(other, 'Emma')).fill('Emma!');
    await other.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Emma!' }).waitFor();
    await service.request('POST', '/book', { token: service.token, body: { title: 'New' } });
    await page.getByRole('link', { name: 'New', exact: true }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Orlando');
  });

  test('when the focused book is deleted, in its sheet or by others, the focus stays in the table', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByRole('link', { name: 'Orlando' }).click();
    await page.getByRole('dialog', { name: 'Orlando' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Beloved');
    await service.request('DELETE', '/book/3', { token: service.token });
    await page.getByRole('link', { name: 'Beloved' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Emma');
    await page.goto(`${service.url}/?view=stats&book=1`);
    await page.getByRole('dialog', { name: 'Emma' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.localName'), 'main');
  });

  test('after the login has expired, it is asked for again, and the work goes on', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const title = await edit(page, 'Emma');
    await title.fill('Emma, revised');
    await page.route('**/book/1', (route) =>
      route.fulfill({ status: 401, json: { status: 401, message: 'Invalid token', data: null } }),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await page.unroute('**/book/1');
    await logIn(page);
    await page.getByText(/“.*” was saved\./).waitFor();
    assert.deepEqual(await bookOf(service, 1), { id: 1, ...books[0], title: 'Emma, revised' });
  });

  test('without a connection that is said, and nothing is lost', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const title = await edit(page, 'Emma');
    await title.fill('Emma, offline');
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('No connection to the catalogue').waitFor();
    assert.equal(await title.inputValue(), 'Emma, offline');
    await page.context().setOffline(false);
    await page.getByText('No connection to the catalogue').waitFor({ state: 'detached' });
    await title.press('Enter');
    await page.getByText(/“.*” was saved\./).waitFor();
    assert.deepEqual(await bookOf(service, 1), { id: 1, ...books[0], title: 'Emma, offline' });
  });

  test('an edited row survives a reload; logging out forgets it, and the books', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await (await edit(page, 'Emma')).fill('Emma, unsaved');
    await page.reload();
    const title = page.getByRole('row').getByRole('textbox', { name: 'Title' });
    await title.waitFor();
    assert.equal(await title.inputValue(), 'Emma, unsaved');
    await logOut(page);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    assert.equal(await page.getByText('Orlando').count(), 0);
  });
});
