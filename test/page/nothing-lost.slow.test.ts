import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { openLoggedIn, titlesOf } from '../support/catalogue-page.ts';
import type { TestService } from '../support/service.ts';

const books = [
  { title: 'Emma', author: 'Jane Austen', year: 1815 },
  { title: 'Orlando', author: 'Virginia Woolf', year: 1928 },
  { title: 'Beloved', author: 'Toni Morrison', year: 1987 },
];

async function titlesIn(service: TestService): Promise<string[]> {
  const { envelope } = await service.request('GET', '/books', { token: service.token });
  return (envelope?.data as { title: string }[]).map(({ title }) => title);
}

const titleInput = (page: Page) => page.getByRole('row').getByRole('textbox', { name: 'Title' });

async function clickEdit(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title, exact: true }).hover();
  await page.getByRole('button', { name: `Edit ${title}`, exact: true }).click();
}

async function edit(page: Page, title: string) {
  await clickEdit(page, title);
  await page.locator('tr.editing').waitFor();
  await page.waitForFunction(
    (value) => document.querySelector<HTMLInputElement>('tr.editing input[name=title]')?.value === value,
    title,
  );
  return titleInput(page);
}

/** Lets the service do what a request asks for, and loses its answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('failed');
}

describe('nothing that is typed is lost', { skip }, () => {
  test('who edits another row saves the first one, and can undo it', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await (await edit(page, 'Emma')).fill('Emma, revised');
    await edit(page, 'Orlando');
    await page.getByText('“Emma, revised” was saved.').waitFor();
    assert.deepEqual(await titlesIn(service), ['Emma, revised', 'Orlando', 'Beloved']);
    assert.equal(await page.evaluate('document.activeElement.value'), 'Orlando');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    assert.deepEqual(await titlesIn(service), ['Emma', 'Orlando', 'Beloved']);
  });

  test('a row that cannot be saved stays open, and a message leads back to it', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    const title = await edit(page, 'Emma');
    await title.fill('Emma, revised');
    await page.getByRole('row').getByRole('textbox', { name: 'Year' }).fill('18x');
    await clickEdit(page, 'Orlando');
    await page.getByText('“Emma” is still being edited. Enter a whole number.').waitFor();
    assert.equal(await title.inputValue(), 'Emma, revised');
    await page.getByRole('button', { name: 'Go to it' }).click();
    const sheet = page.getByRole('dialog');
    assert.equal(await sheet.getByLabel('Title').inputValue(), 'Emma, revised');
    await sheet.getByLabel('Year').fill('1816');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/“.*” was saved\./).waitFor();
    assert.deepEqual(await titlesIn(service), ['Emma, revised', 'Orlando', 'Beloved']);
  });

  test('a row opens at once, although the service is slow; of two, the last one is edited', async (t) => {
    const { page } = await openLoggedIn(t, { books });
    await page.route('**/book/*', () => undefined); // Never answered.
    await clickEdit(page, 'Emma');
    await edit(page, 'Orlando');
    await page.getByRole('link', { name: 'Emma' }).waitFor();
    assert.equal(await titleInput(page).inputValue(), 'Orlando');
  });

  test('a book whose answers were all lost is added once, with what was typed since', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByText('3 books').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New book' });
    await dialog.getByLabel('Title').fill('Sanditon');
    await page.route('**/book', loseAnswer, { times: 4 });
    await page.keyboard.press('Enter');
    await dialog.getByText('The catalogue cannot be reached.').waitFor();
    await page.reload();
    await dialog.getByLabel('Title').fill('Sanditon, a fragment');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('“Sanditon, a fragment” was added.').waitFor();
    assert.deepEqual(await titlesIn(service), ['Emma', 'Orlando', 'Beloved', 'Sanditon, a fragment']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    assert.deepEqual(await titlesIn(service), ['Emma', 'Orlando', 'Beloved']);
  });

  test('a book whose answer was lost is added once, and nobody notices', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.getByText('3 books').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New book' });
    await dialog.getByLabel('Title').fill('The Watsons');
    await page.route('**/book', loseAnswer, { times: 1 });
    await page.keyboard.press('Enter');
    await page.getByText('“The Watsons” was added.').waitFor();
    assert.deepEqual(await titlesIn(service), ['Emma', 'Orlando', 'Beloved', 'The Watsons']);
  });

  test('a book without a title is asked about once; what was added is shown on demand', async (t) => {
    const { page, service } = await openLoggedIn(t, { books, address: '?q=emma' });
    await page.getByText('1 book found').first().waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New book' });
    await dialog.getByLabel('Year').fill('1900');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a title.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.name'), 'title');
    assert.equal((await titlesIn(service)).length, 3);
    await dialog.getByRole('button', { name: 'Add without a title' }).click();
    await page.getByText('“Untitled” was added.').waitFor();
    assert.deepEqual(await titlesOf(page), ['Emma']);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('dialog', { name: 'Untitled' }).waitFor();
  });

  for (const [what, value] of [
    ['of another shape', '{"title":7,"place":"row","base":{"book":null,"tag":"\\u0000"},"draft":[]}'],
    ['that is no object', '"text"'],
    ['of hostile headers', '{"batch":"a\\nb","token":"a\\nb","receivedAt":1,"sent":{}}'],
  ] as const)
    test(`kept values ${what} do no harm`, async (t) => {
      const { page } = await openLoggedIn(t, { books });
      await page.getByText('3 books').waitFor();
      await page.evaluate((text) => {
        for (const name of ['edit', 'add', 'attempts', 'import'])
          sessionStorage.setItem(`shelflist:/:draft:${name}`, text);
      }, value);
      await page.reload();
      await page.getByText('3 books').waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.keyboard.press('n');
      await page.getByRole('dialog').getByLabel('Title').fill('New');
      await page.keyboard.press('Enter');
      await page.getByText('“New” was added.').waitFor();
      await page.getByRole('link', { name: 'Import' }).click();
      await page.getByText('Drop a file here').waitFor();
    });
});
