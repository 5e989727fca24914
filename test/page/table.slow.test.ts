import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, skip } from '../support/browser.ts';
import { logIn, numberedBooks, openCatalogue, openLoggedIn } from '../support/catalogue-page.ts';

const narrow = { viewport: { width: 390, height: 844 } };

/** Whether the first and last letter of an element are within it, as a string of two signs: `+` or `-`. */
const visibleEnds = `(selector) => {
  const element = document.querySelector(selector);
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const box = element.closest('td').getBoundingClientRect();
  const range = document.createRange();
  return [0, text.length - 1].map((at) => {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { left, right } = range.getBoundingClientRect();
    return left >= box.left - 1 && right <= box.right + 1 ? '+' : '-';
  }).join('');
}`;

/** The number of lines of each element. */
const linesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size;
    }),
  );

test('a reload leaves a long list where it was', { skip }, async (t) => {
  const { page } = await openLoggedIn(t, { books: numberedBooks(1000) });
  const rowOf = (row: number) => page.getByRole('rowheader', { name: `Book ${row}`, exact: true });
  const [first, second] = [await rowOf(1).boundingBox(), await rowOf(2).boundingBox()];
  const height = (second?.y ?? 0) - (first?.y ?? 0);
  for (let row = 50; row <= 550; row += 50) {
    await page.evaluate(`scrollTo(0, ${row * height})`);
    await rowOf(row + 5).waitFor();
  }
  const place = rowOf(555);
  const before = await place.boundingBox();
  await page.reload();
  await place.waitFor();
  assert.deepEqual(await place.boundingBox(), before);
  await page.getByText('1,000 books').waitFor();
  await page.getByLabel('Search books').fill('Book 7');
  await page.getByRole('rowheader', { name: 'Book 7', exact: true }).waitFor();
});

test('Back from another view leads to where a long list was', { skip }, async (t) => {
  const { page } = await openLoggedIn(t, { books: numberedBooks(1000) });
  await page.getByText('1,000 books').waitFor();
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
  const place = page.getByRole('rowheader', { name: 'Book 505', exact: true });
  await place.waitFor();
  const before = await place.boundingBox();
  const cameBack = async () => {
    await page.goBack();
    await place.waitFor();
    assert.deepEqual(await place.boundingBox(), before);
  };
  await page.getByRole('link', { name: 'Charts' }).click();
  await page.getByRole('heading', { name: 'Charts' }).waitFor();
  await cameBack();
  await page.getByLabel('Search books').fill('Book 7');
  await page.getByText('books found').first().waitFor();
  await cameBack();
});

test('the scroll bar stands for all books, and End leads to the last one', { skip }, async (t) => {
  const { page } = await openLoggedIn(t, { books: numberedBooks(5000) });
  await page.getByText('5,000 books').waitFor();
  const height = () => page.evaluate<number>('document.documentElement.scrollHeight');
  const before = await height();
  await page.locator('#main').focus();
  await page.keyboard.press('End');
  const last = page.getByRole('rowheader', { name: 'Book 5000', exact: true });
  await last.waitFor();
  assert.ok(Math.abs((await height()) - before) < 100);
  await page.keyboard.press('Home');
  await page.getByRole('link', { name: 'Book 1', exact: true }).focus();
  await page.keyboard.press('Control+End');
  await last.waitFor();
});

test(
  'a click on the head of a column moves no head, at the beginning of a list and far below',
  { skip },
  async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(300) });
    const heads = () =>
      page
        .getByRole('columnheader')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    for (const [width, top] of [
      [1280, 0],
      [1280, 3000],
      [800, 3000],
      [390, 0],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await page.evaluate(`scrollTo(0, ${top})`);
      await page.waitForFunction((place) => {
        const row = document.elementFromPoint(innerWidth / 2, 600)?.closest('tr') ?? null;
        return scrollY === place && row !== null && row.ariaBusy !== 'true';
      }, top);
      const before = await heads();
      // By author, downwards, in no order, by year, and by title.
      for (const [name, sort] of [
        ['Author', 'author'],
        ['Author', '-author'],
        ['Author', null],
        ['Year', 'year'],
        ['Title', 'title'],
      ] as const) {
        await page.getByRole('columnheader').getByRole('button', { name }).click();
        await page.waitForURL((url) => url.searchParams.get('sort') === sort);
        await page.locator('[role=grid][aria-busy=false]').waitFor();
        assert.deepEqual(await heads(), before, `${name}, ${width} px, ${top} px`);
      }
    }
  },
);

test('a long list by title or author begins with any letter, and at its start again', { skip }, async (t) => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const books = letters.flatMap((letter) =>
    Array.from({ length: 10 }, (_, i) => ({ title: `${letter}ord ${i}`, author: 'Émile', year: 0 })),
  );
  const { page } = await openLoggedIn(t, { books, address: '?sort=title' });
  const firstTitle = page.getByRole('rowheader').first();
  const letter = (name: string) => page.getByRole('button', { name: `Begin with ${name}`, exact: true });
  await letter('M').click();
  await firstTitle.filter({ hasText: 'Mord 0' }).waitFor();
  await page.getByText('260 books').waitFor();
  await letter('A').click();
  await firstTitle.filter({ hasText: 'Aord 0' }).waitFor();
  await letter('A').click();
  await page.getByRole('button', { name: 'Begin with A', pressed: false }).waitFor();
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await firstTitle.filter({ hasText: 'Zord 9' }).waitFor();
  await letter('C').click();
  await firstTitle.filter({ hasText: 'Cord 9' }).waitFor();
  await page.getByRole('columnheader', { name: 'Year' }).getByRole('button').click();
  await firstTitle.filter({ hasText: 'Aord 0' }).waitFor();
  await letter('C').click(); // Sorts by title again.
  await firstTitle.filter({ hasText: 'Cord 0' }).waitFor();
});

describe('the table in a browser', { skip }, () => {
  test('does what the help says: Enter opens or edits, Space selects, F2 edits and Delete deletes', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(5) });
    await page.getByRole('link', { name: 'Book 2', exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('group', { name: '1 book selected' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByRole('group', { name: '1 book selected' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('row').getByRole('combobox', { name: 'Author' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Book 2' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select Book 2' }).focus();
    await page.keyboard.press('F2');
    await page.getByRole('row').getByRole('textbox', { name: 'Title' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select Book 2' }).focus();
    await page.keyboard.press('Delete');
    await page.getByText('“Book 2” was deleted.').waitFor();
  });

  test('Control+Z takes back the last change that was made here, and nothing twice', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(5) });
    await page.getByRole('link', { name: 'Book 2', exact: true }).focus();
    await page.keyboard.press('Delete');
    await page.getByText('4 books').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('5 books').waitFor();
    await page.getByText('Undone.').waitFor();
    let undos = 0;
    page.on('request', (request) => {
      if (request.url().includes('/batch/')) undos++;
    });
    await page.keyboard.press('Control+z');
    await page.locator('#main').focus(); // In a cell, the letter would be its text.
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New book' }).waitFor();
    assert.equal(undos, 0);
  });

  test('a click with Shift selects all rows up to the one that was selected before', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(20) });
    await page.getByRole('checkbox', { name: 'Select Book 12' }).click();
    await page.getByRole('checkbox', { name: 'Select Book 3', exact: true }).click({ modifiers: ['Shift'] });
    await page.getByRole('group', { name: '10 books selected' }).waitFor();
    await page.getByRole('status').getByText('10 books selected').waitFor();
  });

  test('while 250 selected books are deleted, the list is not counted again for each', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(250) });
    await page.getByRole('checkbox', { name: 'Select Book 1', exact: true }).click();
    await page.getByRole('button', { name: 'Select all 250' }).click();
    let counts = 0;
    page.on('request', (request) => {
      if (request.url().includes('count=true')) counts++;
    });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('250 books deleted.').waitFor();
    await page.getByText('There are no books yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('250 books', { exact: true }).waitFor();
    assert.ok(counts <= 6, `${counts} counts`);
  });

  test('the problem of a year is shown below the year', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(3) });
    await page.getByRole('button', { name: 'Edit Book 1' }).click();
    const year = page.getByRole('row').getByRole('textbox', { name: 'Year' });
    await year.fill('18x5');
    await page.keyboard.press('Enter');
    const [problem, field] = [page.getByText('Enter a whole number.'), year];
    const [below, above] = [await problem.boundingBox(), await field.boundingBox()];
    assert.ok(below !== null && above !== null);
    assert.ok(below.y >= above.y + above.height - 1);
    assert.ok(below.x < above.x + above.width && below.x + below.width > above.x);
  });

  test('a long title keeps its beginning at 390 px, Latin and Arabic', async (t) => {
    const titles = [
      'The life and opinions of a very long title indeed, continued',
      'حياة وآراء عنوان طويل جدا بالفعل، ويستمر إلى ما لا نهاية له أبدا',
    ];
    const { page } = await openLoggedIn(t, {
      books: titles.map((title) => ({ title, author: title, year: 2006 })),
      browser: narrow,
    });
    await page.getByText('2 books').waitFor();
    for (const [row, column] of [
      [0, 'name'],
      [1, 'name'],
      [0, 'author'],
      [1, 'author'],
    ] as const) {
      const selector = `tbody tr:nth-child(${row + 1}) td.${column} bdi`;
      const ends = await page.evaluate(`(${visibleEnds})(${JSON.stringify(selector)})`);
      assert.equal(ends, '+-', selector);
    }
  });

  test('no year and no heading is broken at 390 px: in print, without JavaScript, and in a conflict', async (t) => {
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze, '.repeat(4);
    const books = [{ title: long, author: long, year: 2006 }];
    const { page, service } = await openCatalogue(t, {
      books,
      browser: narrow,
      config: { publicRead: true },
    });
    await page.getByRole('button', { name: 'Log in' }).click();
    await logIn(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${service.url}/?book=1`);
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Year').fill('2007');
    const body = { author: 'x', year: 2008 };
    await service.request('PUT', '/book/1', { token: service.token, body });
    await page.getByRole('dialog').getByLabel('Title').press('Enter');
    await page.getByRole('dialog', { name: 'Somebody else' }).waitFor();
    assert.deepEqual(new Set(await linesOf(page, '.compare :is(thead th, .number)')), new Set([1]));
    const plain = await openPage(t, `${service.url}/`, { ...narrow, javaScriptEnabled: false });
    assert.deepEqual(new Set(await linesOf(plain, 'thead th, td.integer')), new Set([1]));
    const { page: printed } = await openCatalogue(t, {
      books,
      browser: narrow,
      config: { publicRead: true },
    });
    await printed.evaluate('print = () => undefined');
    await printed.getByRole('button', { name: 'Print' }).click();
    await printed.locator('.print-only').waitFor({ state: 'attached' });
    await printed.emulateMedia({ media: 'print' });
    assert.deepEqual(new Set(await linesOf(printed, '.print-only :is(th, td.integer)')), new Set([1]));
  });

  test('a print of the browser says that it has only the rows on the screen, without empty pages', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(500) });
    await page.getByText('500 books').waitFor();
    assert.equal(await page.getByText(/^This prints only the \d+ rows on the screen/).isVisible(), false);
    await page.emulateMedia({ media: 'print' });
    await page
      .getByText(/^This prints only the \d+ rows on the screen\. The button “Print” prints all books\./)
      .waitFor();
    assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight')) < 4000);
  });

  test('years from a later to an earlier one are refused', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: numberedBooks(5) });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('From year').fill('1813');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?yearFrom=1813');
    await page.getByLabel('To year').fill('1700');
    await page.keyboard.press('Enter');
    await page.getByText('“From year” is after “To year”.').waitFor();
    assert.equal(page.url(), `${service.url}/?yearFrom=1813`);
  });
});
