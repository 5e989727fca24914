import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { accountOf, codeOf, numberedBooks, openCatalogue, openLoggedIn } from '../support/catalogue-page.ts';
import { sized } from '../support/size.ts';

const languages = ['en', 'de', 'es', 'fr'];
/** From a small phone, which is also a window of 640 px at a zoom of 200 %, to a very wide window. */
const widths = [320, 390, 480, 640, 768, 1024, 1025, 1280, 1366, 1440, 1920, 2560];
/** The windows that have the links beside the list, and the header at the top while it scrolls. */
const isWide = (width: number) => width > 1024;

/** What is wrong with the page: boxes outside of their parents, over each other, cut, or not where they belong. */
const problemsOf = (wide: boolean) => `(() => {
  const problems = [];
  const name = (element) => element.className + ' ' + (element.textContent || element.getAttribute('aria-label'));
  const isWithin = (inner, outer) =>
    inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5 &&
    inner.top >= outer.top - 0.5 && inner.bottom <= outer.bottom + 0.5;
  const shownIn = (selector) => [...document.querySelectorAll(selector + ' :not(path, option)')].filter(
    (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1 &&
      element.closest('#account') === null,
  );
  const top = document.querySelector('.top');
  const box = top.getBoundingClientRect();
  const ofFrame = [...shownIn('.top'), ...shownIn('.rail'), ...shownIn('.toolbar-line')];
  for (const element of ofFrame) {
    if (!isWithin(element.getBoundingClientRect(), element.parentElement.getBoundingClientRect()))
      problems.push('outside: ' + name(element));
    if (element.scrollWidth > element.clientWidth + 1 && element.matches('a:not(.brand), .button, .button span, nav'))
      problems.push('cut: ' + name(element));
  }
  const controls = ofFrame.filter((element) => element.matches('a, button, input, select'));
  for (const [i, one] of controls.entries())
    for (const other of controls.slice(i + 1)) {
      if (one.closest('.top, .rail, .toolbar-line') !== other.closest('.top, .rail, .toolbar-line')) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      if (!isApart && !one.contains(other) && !other.closest('.search'))
        problems.push('over each other: ' + name(one) + ', ' + name(other));
    }
  for (const row of document.querySelectorAll('.buttons')) {
    const { top: begin, bottom: end, height } = row.getBoundingClientRect();
    const boxes = [...row.children].map((each) => each.getBoundingClientRect());
    const used = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
    if (height > used + 64) problems.push('a row of buttons is ' + height + ' px high, from ' + begin + ' to ' + end);
  }
  const { width: room, height } = top.querySelector('.brand').getBoundingClientRect();
  if (room < 60) problems.push('no room for the name');
  if (height > 44) problems.push('the name has more than one line');
  if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window');
  if (${wide}) {
    if (box.top !== 0 || box.height !== 64) problems.push('header at ' + box.top + ', ' + box.height + ' px high');
    const search = top.querySelector('.search').getBoundingClientRect().width;
    if (search < (innerWidth < 1280 ? 320 : 384)) problems.push('search ' + search + ' px wide');
    for (const head of document.querySelectorAll('.books th')) {
      const { left, right, top, bottom } = head.getBoundingClientRect();
      if (Math.abs(top - box.bottom) > 0.5) problems.push('column head at ' + top + ', header ends at ' + box.bottom);
      if (!head.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)))
        problems.push('something covers the column head ' + head.textContent);
    }
    const rail = document.querySelector('.rail').getBoundingClientRect();
    if (rail.top < box.bottom - 0.5 || rail.right > document.querySelector('main').getBoundingClientRect().left + 0.5)
      problems.push('the links to the views are over something');
  }
  return problems;
})()`;

async function assertSound(page: Page, what: string): Promise<void> {
  for (const colorScheme of sized<('light' | 'dark')[]>({ short: ['light'], long: ['light', 'dark'] })) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const problems = await page.evaluate(problemsOf(isWide(width)));
      assert.deepEqual(problems, [], `${what}, ${width} px, ${colorScheme}`);
    }
  }
}

describe('nothing of the page lies over something else, at any width, in each language', { skip }, () => {
  for (const catalogueName of ['Shelf', 'Bücherei der Grundschule Am Lindenhof 12'])
    test(`in a catalogue with the name ${catalogueName}`, async (t) => {
      const { page, service } = await openCatalogue(t, {
        books: numberedBooks(200),
        config: { catalogueName, publicRead: true, storePassword: () => undefined }, // All that it can contain.
      });
      await page.goto(`${service.url}/#code=${await codeOf(service)}`);
      await page.reload();
      for (const language of languages) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.evaluate(`scrollTo(0, 0)`);
        await page.locator('.account > button').click();
        await page.locator('.language select').selectOption(language);
        await page.locator(`html[lang=${language}] td.name a`).first().waitFor();
        await page.locator('.account > button').press('Escape');
        await page.evaluate('scrollTo(0, 1000)');
        await assertSound(page, language);
      }
      await page.locator('.account > button').click();
      await page.getByRole('button', { name: 'Se déconnecter' }).click();
      await page.locator('.top .button').getByText('Se connecter').waitFor();
      await assertSound(page, 'logged out');
    });
});

describe('the menu of a narrow screen', { skip }, () => {
  const browser = { viewport: { width: 820, height: 1180 } };

  test('closes by Escape and by a link, and nothing of it stays when the window becomes wide', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(3), browser });
    const menu = page.getByRole('button', { name: 'Menu' });
    const isOpen = () => page.getByRole('link', { name: 'Charts' }).isVisible();
    await menu.click();
    await page.keyboard.press('Escape');
    assert.ok(!(await isOpen()));
    assert.ok(await menu.evaluate((element) => element === document.activeElement));
    await menu.click();
    await page.getByRole('link', { name: 'Authors' }).click();
    await page.getByRole('heading', { name: 'Authors' }).waitFor();
    assert.ok(!(await isOpen()));
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    await menu.click();
    await page.setViewportSize({ width: 1180, height: 820 });
    assert.deepEqual(await page.evaluate(problemsOf(true)), []);
    const box = await page.locator('main').boundingBox();
    assert.ok((box?.width ?? 0) > 800);
  });

  test('is not printed', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(3) });
    await page.emulateMedia({ media: 'print' });
    assert.ok(!(await page.getByRole('link', { name: 'Charts' }).isVisible()));
    await page.evaluate('document.documentElement.dataset.theme = "dark"');
    const colour = await page.locator('.brand').evaluate((element) => getComputedStyle(element).color);
    assert.equal(colour, 'rgb(33, 31, 27)');
  });
});

describe('the look of the page', { skip }, () => {
  test('is chosen in the menu, at once and for the next start', async (t) => {
    const { page, service } = await openLoggedIn(t, {
      books: numberedBooks(3),
      browser: { colorScheme: 'light' },
    });
    const look = () =>
      page.evaluate(`(() => {
        const row = document.querySelector('.books td.name').getBoundingClientRect().height;
        return [getComputedStyle(document.documentElement).backgroundColor, row];
      })()`);
    await page.getByRole('rowheader').first().waitFor();
    const before = await look();
    assert.deepEqual(before, ['rgb(250, 249, 246)', 44]);
    await accountOf(page).click();
    await page.getByLabel('Colours').selectOption('Dark');
    await page.getByLabel('Rows').selectOption('Compact');
    assert.deepEqual(await look(), ['rgb(23, 24, 22)', 36]);
    const next = await page.context().newPage();
    await next.goto(service.url);
    await next.locator('html[data-theme=dark][data-density=compact]').waitFor();
  });

  test('the menu closes by Escape, and by a click outside of it', async (t) => {
    const { page } = await openCatalogue(t, { books: numberedBooks(3), config: { publicRead: true } });
    const account = accountOf(page);
    const isOpen = () => page.getByLabel('Colours').isVisible();
    await account.click();
    assert.ok(await isOpen());
    await page.getByLabel('Colours').press('Escape');
    assert.ok(!(await isOpen()));
    assert.ok(await account.evaluate((element) => element === document.activeElement));
    await account.click();
    await page.getByText('3 books').click();
    assert.ok(!(await isOpen()));
  });
});
