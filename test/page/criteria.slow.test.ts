import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { numberedBooks, openLoggedIn } from '../support/catalogue-page.ts';

/** What is wrong with the focus: nothing shows it, or something covers it. `undefined` without a focus. */
const focusProblem = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  const name = element.ariaLabel || element.textContent.trim() || element.labels?.[0]?.textContent || element.tagName;
  const label = element.closest('label');
  const shown = getComputedStyle(element).opacity === '0' && label !== null ? label : element;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) return 'no outline: ' + name;
  const { left, top, width, height } = element.getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const isSeen = parts.some((x) => parts.some((y) => {
    const hit = document.elementFromPoint(left + x * width, top + y * height);
    return hit !== null && (element.contains(hit) || label?.contains(hit) === true);
  }));
  return isSeen ? '' : 'covered: ' + name + ' at ' + Math.round(top) + ' px';
})()`;

/** The spacing that WCAG 1.4.12 names. */
const spaceTexts = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }\`);
  document.adoptedStyleSheets = [sheet];
})()`;

/** The elements whose text is cut. Those with dots at their end are not: without the spacing, they have them, too. */
const cutTexts = `(() => {
  const isCut = (element) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    if (!element.checkVisibility() || width <= 1 || height <= 1 || textOverflow === 'ellipsis') return false;
    const isTooWide = element.scrollWidth > element.clientWidth + 1;
    const isTooHigh = element.scrollHeight > element.clientHeight + 1;
    return (isTooWide && overflowX === 'hidden') || (isTooHigh && overflowY === 'hidden');
  };
  const cut = [...document.querySelectorAll('body *')].filter(isCut);
  const names = cut.map((element) => element.tagName + '.' + element.className + ' ' + element.textContent);
  if (document.documentElement.scrollWidth > innerWidth) names.push('the page is wider than its window');
  return names;
})()`;

/** Presses a key until nothing has the focus, or many times, and checks it each time. @returns The number of places. */
async function follow(page: Page, key: string, most: number): Promise<number> {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press(key);
    const problem = await page.evaluate(focusProblem);
    if (problem === undefined) return i;
    assert.equal(problem, '', `${key} ${i + 1}`);
  }
  return most;
}

describe('what axe-core does not see', { skip }, () => {
  test('the first stop of Tab skips to the content', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(3) });
    await page.getByText('3 books').waitFor();
    await page.reload();
    await page.getByText('3 books').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the books');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  });

  for (const [what, viewport] of [
    ['a wide screen', { width: 1280, height: 520 }],
    ['320 px', { width: 320, height: 480 }],
  ] as const)
    test(`the focus is marked, and nothing covers it, on ${what}`, async (t) => {
      const books = [...numberedBooks(8), ...numberedBooks(8)];
      const { page, service } = await openLoggedIn(t, { books, browser: { viewport } });
      await page.getByText('16 books').waitFor();
      await page.getByRole('checkbox', { name: 'Select Book 1', exact: true }).first().check();
      await page.getByRole('group', { name: '1 book selected' }).waitFor();
      await page.getByRole('link', { name: 'Book 1', exact: true }).first().focus();
      await follow(page, 'ArrowRight', 1);
      await follow(page, 'ArrowDown', 15);
      await follow(page, 'ArrowUp', 15);
      await page.goto(`${service.url}/?view=duplicates`);
      await page.getByRole('group', { name: 'Book 8 2 similar books' }).waitFor();
      await page.context().setOffline(true); // A message at the bottom that stays.
      await page.getByText('No connection to the catalogue').waitFor();
      const address = page.url();
      assert.ok((await follow(page, 'Tab', 100)) > 35);
      assert.ok((await follow(page, 'Shift+Tab', 100)) > 35);
      assert.equal(page.url(), address, 'the focus alone leads nowhere');
      assert.equal(await page.getByRole('dialog').count(), 0);
    });

  test('no text is cut with the text spacing of WCAG 1.4.12, in a window of 1280 or 320 px', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: numberedBooks(60) });
    await page.getByText('60 books').waitFor();
    for (const [address, shown] of [
      ['?q=book&yearFrom=1950', 'books found'],
      ['?book=1', 'More by this author'],
      ['?view=import', 'Or paste rows'],
      ['?view=authors', 'By number of books'],
      ['?view=activity', 'books added'],
    ] as const) {
      await page.goto(`${service.url}/${address}`);
      await page.getByText(shown).filter({ visible: true }).first().waitFor();
      await page.evaluate(spaceTexts);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const cut = await page.evaluate(cutTexts);
        assert.deepEqual(cut, [], `${address}, ${width} px`);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test('the filter of a cell, which comes with the pointer, covers none of its text', async (t) => {
    const author = 'Gabriel José de la Concordia García Márquez '.repeat(5).trim();
    const { page } = await openLoggedIn(t, { books: [{ title: 'Long', author, year: 1967 }] });
    await page.getByRole('rowheader', { name: 'Long' }).waitFor();
    const cell = page.locator('td.author');
    await cell.hover();
    const filter = await cell.getByRole('link', { name: /^Show only/ }).boundingBox();
    const text = await cell.locator('bdi').boundingBox();
    assert.ok(filter !== null && text !== null);
    assert.ok(text.x + text.width <= filter.x, `${text.x + text.width} ${filter.x}`);
  });
});
