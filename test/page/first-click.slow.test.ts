import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { numberedBooks, openLoggedIn } from '../support/catalogue-page.ts';

/** Clicks as a person does: presses where the element is, and looks a moment later where it is then. */
async function press(page: Page, target: Locator): Promise<void> {
  const before = await target.boundingBox();
  assert.ok(before !== null);
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.down();
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  assert.deepEqual(await target.boundingBox(), before);
  await page.mouse.up();
}

/** Types the beginning of an author, and waits for the suggestions. */
async function suggest(page: Page, field: Locator): Promise<void> {
  await field.fill('Stephen K');
  await page.getByRole('option', { name: 'Stephen King 1' }).waitFor();
}

describe('the first click counts', { skip }, () => {
  const books = Array.from({ length: 9 }, (_, i) => ({
    title: `T ${i}`,
    author: `Stephen King ${i}`,
    year: 2000,
  }));

  for (const [what, viewport] of [
    ['a wide screen', { width: 1280, height: 700 }],
    ['390 px', { width: 390, height: 700 }],
  ] as const)
    test(`while suggestions are open, without covering a button: ${what}`, async (t) => {
      const { page, service } = await openLoggedIn(t, { books, browser: { viewport } });
      const dialog = page.getByRole('dialog');
      const author = dialog.getByRole('combobox');
      await page.getByRole('button', { name: 'New book' }).click();
      await dialog.getByLabel('Title').fill('Cujo');
      const button = dialog.getByRole('button', { name: 'Add book' });
      await dialog.evaluate((element) =>
        Promise.all(element.getAnimations().map((animation) => animation.finished)).then(() => undefined),
      );
      // In whole pixels: the form settles by less.
      const placeOf = async () =>
        Object.values((await button.boundingBox()) ?? {}).map((each: number) => Math.round(each));
      const before = await placeOf();
      await suggest(page, author);
      assert.deepEqual(await placeOf(), before);
      for (let i = 0; i < 9; i++) await author.press('ArrowDown');
      const isShown = () => isInView(dialog.locator('[aria-selected=true]'), dialog.getByRole('listbox'));
      for (let frame = 0; frame < 100 && !(await isShown()); frame++)
        await page.evaluate('new Promise(requestAnimationFrame)');
      assert.ok(await isShown());
      await press(page, button);
      await page.getByText('“Cujo” was added.').waitFor();
      await page.goto(`${service.url}/?book=1`);
      await dialog.getByRole('button', { name: 'Edit' }).click();
      await suggest(page, author);
      await press(page, dialog.getByRole('button', { name: 'Save' }));
      await dialog.getByRole('button', { name: 'Edit' }).waitFor();
      await page.goto(service.url);
      await page.getByRole('checkbox', { name: 'Select T 1', exact: true }).check();
      await page.getByRole('button', { name: 'Change' }).click();
      await suggest(page, author);
      await press(page, dialog.getByRole('button', { name: 'Change' }));
      await dialog.waitFor({ state: 'detached' });
      for (const id of [1, 2, 10]) {
        const { envelope } = await service.request('GET', `/book/${id}`, { token: service.token });
        assert.equal((envelope?.data as { author: string }).author, 'Stephen K');
      }
    });

  test('of the bar for selected books, in every one of many loads', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    // Its script serves other parts of the page, too, and comes while the list is drawn.
    for (let load = 0; load < 12; load++) {
      await page.goto(service.url);
      await page.getByRole('checkbox', { name: 'Select T 1', exact: true }).check();
      await page.getByRole('button', { name: 'Change' }).waitFor();
    }
  });

  test('after a year was typed into a filter, which applies after the click', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(5) });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('From year').fill('1902');
    await press(page, page.getByRole('link', { name: 'Book 5' }));
    await page.getByRole('dialog', { name: 'Book 5' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('3 books found').first().waitFor();
  });
});

async function isInView(inner: Locator, outer: Locator): Promise<boolean> {
  const [a, b] = [await inner.boundingBox(), await outer.boundingBox()];
  return a !== null && b !== null && a.y >= b.y && a.y + a.height <= b.y + b.height;
}
