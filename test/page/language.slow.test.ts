import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../support/browser.ts';
import { accountOf, codeOf, numberedBooks, openCatalogue, openLoggedIn } from '../support/catalogue-page.ts';

const books = numberedBooks(3);
const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');

describe('the language of the page', { skip }, () => {
  for (const [locale, heading, menu] of [
    ['fr-CA', 'Se connecter', 'Livres'],
    ['es-MX', 'Iniciar sesión', 'Libros'],
  ] as const)
    test(`is that of the browser: ${locale}`, async (t) => {
      const { page, service } = await openCatalogue(t, { books, browser: { locale } });
      await page.getByRole('heading', { name: heading }).waitFor();
      assert.equal(await languageOf(page), locale.slice(0, 2));
      await page.goto(`${service.url}/#code=${await codeOf(service)}`);
      await page.reload();
      await page.getByRole('link', { name: menu, exact: true }).waitFor();
    });

  test('is that of the service, where nobody has chosen another in this browser', async (t) => {
    const { page } = await openCatalogue(t, { books, config: { pageLanguage: 'de' } });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    assert.equal(await languageOf(page), 'de');
    await page.getByLabel('Sprache').selectOption('fr');
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor();
  });

  test('can be chosen before the login, and the choice stays in this browser', async (t) => {
    const { page, service } = await openCatalogue(t, { books });
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Language').selectOption('Español');
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    assert.equal(await languageOf(page), 'es');
    assert.equal(await page.getByLabel('Nombre de usuario').inputValue(), 'ada');
    const other = await page.context().newPage();
    await other.goto(service.url);
    await other.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
  });

  test('can be chosen in each view, which stays with its draft; dates follow, and the focus is on the switch', async (t) => {
    const { page, service } = await openLoggedIn(t, { books });
    await page.goto(`${service.url}/?view=import`);
    await page.getByLabel('Or paste rows').fill('Title\nHalf');
    await page.goto(`${service.url}/?view=activity`);
    await page.getByText('3 books added').waitFor();
    await accountOf(page).click();
    await page.getByLabel('Language').selectOption('fr');
    await page.getByText('3 livres ajoutés').waitFor();
    assert.equal(page.url(), `${service.url}/?view=activity`);
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Langue');
    const months = /janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc/;
    assert.match((await page.locator('time').first().textContent()) ?? '', months);
    await page.getByRole('link', { name: 'Importer' }).click();
    assert.equal(await page.getByLabel('Ou collez des lignes').inputValue(), 'Title\nHalf');
  });

  test('is in the menu of a narrow screen', async (t) => {
    const { page } = await openLoggedIn(t, { books, browser: { viewport: { width: 390, height: 800 } } });
    await accountOf(page).click();
    await page.getByLabel('Language').selectOption('de');
    await page.getByText('3 Bücher').waitFor();
  });

  test('is that of the browser where storage is blocked', async (t) => {
    const { page } = await openCatalogue(t, { books });
    await page.addInitScript({
      content: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } });`,
    });
    await page.reload();
    await page.getByLabel('Language').selectOption('fr');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });
});
