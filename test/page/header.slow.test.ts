import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { numberedBooks, openCatalogue } from '../support/catalogue-page.ts';

const languages = ['en', 'de', 'es', 'fr'];
/** From the narrowest window with one row in the header, to a very wide one. */
const widths = [1217, 1280, 1345, 1366, 1440, 1536, 1920, 2560];

/** What is wrong with the header of a page that was scrolled: boxes outside of their parents, over each other, or broken. */
const problemsOf = `(() => {
  const problems = [];
  const name = (element) => element.className + ' ' + (element.textContent || element.getAttribute('aria-label'));
  const isWithin = (inner, outer) =>
    inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5 &&
    inner.top >= outer.top - 0.5 && inner.bottom <= outer.bottom + 0.5;
  const top = document.querySelector('.top');
  const box = top.getBoundingClientRect();
  const shown = [...top.querySelectorAll(':not(path, option)')].filter(
    (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1,
  );
  for (const element of shown) {
    const each = element.getBoundingClientRect();
    if (!isWithin(each, element.parentElement.getBoundingClientRect()) || !isWithin(each, box))
      problems.push('outside: ' + name(element));
    if (element.scrollWidth > element.clientWidth + 1 && element.matches('a, .button, .button span, nav'))
      problems.push('cut: ' + name(element));
  }
  const controls = shown.filter((element) => element.matches('a, button, input, select'));
  for (const [i, one] of controls.entries())
    for (const other of controls.slice(i + 1)) {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      if (!isApart) problems.push('over each other: ' + name(one) + ', ' + name(other));
    }
  const { width: room, height } = top.querySelector('.brand').getBoundingClientRect();
  if (room < 60) problems.push('no room for the name');
  if (height > 44) problems.push('the name has more than one line');
  if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window');
  if (innerWidth > 1216) {
    if (box.top !== 0 || box.height !== 64) problems.push('header at ' + box.top + ', ' + box.height + ' px high');
    const search = top.querySelector('.search').getBoundingClientRect().width;
    if (search < 320) problems.push('search ' + search + ' px wide');
    for (const head of document.querySelectorAll('.books th')) {
      const { left, right, top, bottom } = head.getBoundingClientRect();
      if (Math.abs(top - box.bottom) > 0.5) problems.push('column head at ' + top + ', header ends at ' + box.bottom);
      if (!head.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)))
        problems.push('something covers the column head ' + head.textContent);
    }
  }
  return problems;
})()`;

async function assertSound(page: Page, what: string): Promise<void> {
  for (const width of [390, ...widths]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await page.evaluate(problemsOf), [], `${what}, ${width} px`);
  }
}

describe('the header', { skip }, () => {
  for (const catalogueName of ['Shelf', 'Bücherei der Grundschule Am Lindenhof 12'])
    test(`has one row on a wide screen in each language, and the name is on one line everywhere: ${catalogueName}`, async (t) => {
      const { page, service } = await openCatalogue(t, {
        books: numberedBooks(200),
        config: { catalogueName, publicRead: true, storePassword: () => undefined }, // All that it can contain.
      });
      await page.goto(`${service.url}/#token=${service.token}`);
      await page.reload();
      for (const language of languages) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.locator('.language select').selectOption(language);
        await page.locator(`html[lang=${language}] td.name a`).first().waitFor();
        await page.evaluate('scrollTo(0, 1000)');
        await assertSound(page, language);
      }
      await page.locator('.navigation [aria-label="Se déconnecter"]').click();
      await page.locator('.navigation .button').getByText('Se connecter').waitFor();
      await assertSound(page, 'logged out');
    });
});
