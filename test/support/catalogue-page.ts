import type { BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from './browser.ts';
import { credentials, startService, type TestService } from './service.ts';
import type { Scope } from './temp.ts';
import type { AnyConfig } from '../../src/server/config.ts';

export interface OpenCatalogue {
  readonly service: TestService;
  readonly page: Page;
}

export interface CatalogueOptions {
  readonly books?: readonly object[];
  readonly config?: Partial<AnyConfig>;
  readonly browser?: BrowserContextOptions;
  /** What follows the address of the page, such as `?q=emma`. */
  readonly address?: string;
}

/** Starts a service with some books, and opens its page. */
export async function openCatalogue(scope: Scope, options: CatalogueOptions = {}): Promise<OpenCatalogue> {
  const { books = [], config, browser, address = '' } = options;
  const service = await startService(scope, { page: true, ...config });
  const prefix = config?.prefix ?? '';
  if (books.length > 0)
    await service.request('POST', `${prefix}/books`, { token: service.token, body: books });
  const page = await openPage(scope, `${service.url}${prefix}/${address}`, browser);
  return { service, page };
}

/** The same, logged in. */
export async function openLoggedIn(scope: Scope, options: CatalogueOptions = {}): Promise<OpenCatalogue> {
  const opened = await openCatalogue(scope, options);
  await logIn(opened.page);
  await opened.page.locator('#main').waitFor(); // Another address, or a key, would come too early.
  return opened;
}

/** A code that logs the next page in which it ends the address, as `shelflist open` does. */
export async function codeOf(service: TestService, token = service.token): Promise<string> {
  const { envelope } = await service.request('POST', '/token/code', { token });
  return (envelope?.data as { code: string }).code;
}

/** Fills in the form for the login, in a page or in a dialog. */
export async function logIn(page: Page, { username, password } = credentials): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click();
}

/** The button of the menu with what concerns the reader. */
export function accountOf(page: Page) {
  return page.getByRole('button', { name: 'Account and settings' });
}

export async function logOut(page: Page): Promise<void> {
  await accountOf(page).click();
  await page.getByRole('button', { name: 'Log out' }).click();
}

/** Waits until somebody is logged in who may change books. */
export async function waitForLogin(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'New book' }).waitFor();
}

/** The titles in the table, as far as they are rendered. */
export function titlesOf(page: Page): Promise<string[]> {
  return page.getByRole('rowheader').allInnerTexts();
}

/** Books for tests: `Book 1` to `Book n`, by three authors. */
export function numberedBooks(count: number): { title: string; author: string; year: number }[] {
  const authors = ['Ada Archer', 'Ben Bolt', 'Cleo Cruz'];
  return Array.from({ length: count }, (_, i) => ({
    title: `Book ${i + 1}`,
    author: authors[i % authors.length] ?? '',
    year: 1900 + (i % 100),
  }));
}
