import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { assertAccessible, openPage, skip } from '../support/browser.ts';
import { accountOf, logIn, openLoggedIn, waitForLogin } from '../support/catalogue-page.ts';
import { shelflist } from '../support/cli.ts';
import { startKept } from '../support/kept-settings.ts';
import type { Scope } from '../support/temp.ts';

/** The settings of a service that keeps them, opened from the menu by somebody who is logged in. */
async function openSettings(scope: Scope, variables?: Record<string, string>) {
  const service = await startKept(scope, { ...(variables && { variables }) });
  const page = await openPage(scope, `${service.url}/`);
  await logIn(page);
  await waitForLogin(page);
  await accountOf(page).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  return { service, page };
}

const looksOf = (text: Locator) =>
  text.evaluate((element) => {
    const { color, fontSize } = getComputedStyle(element);
    return { color, fontSize };
  });

describe('the settings, in the page', { skip }, () => {
  test('change the name in the header and the order at once', async (t) => {
    const { service, page } = await openSettings(t);
    await page.getByLabel('Name of the library').fill('City Library');
    await page.getByLabel('Articles that do not count').fill('the, a');
    await page.getByText('The changes are not saved yet.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Books', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor({ state: 'detached' });
    await service.send('PATCH', '/settings', { body: { publicRead: true } }); // Somebody else.
    await page.goBack();
    await page.getByText('The changes are not saved yet.').waitFor();
    await page.setViewportSize({ width: 1000, height: 400 });
    const button = page.getByRole('button', { name: 'Save', exact: true });
    await button.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    assert.ok(before > 0);
    await button.click();
    await page.getByRole('banner').getByText('City Library').waitFor();
    const box = await page.getByText('Saved.').boundingBox();
    assert.equal(await page.getByText('The changes are not saved yet.').count(), 0);
    assert.ok(box !== null && box.y > 0 && box.y + box.height < 400);
    assert.equal(await page.evaluate(() => scrollY), before);
    const text = await readFile(join(service.folder, '.env'), 'utf8');
    assert.match(text, /\nCATALOGUE_NAME='City Library'\nSORT_ARTICLES='the,a'\n/);
    assert.match(text, /\nPUBLIC_READ='?true'?\n/);
    await page.getByLabel('Look up books by ISBN').selectOption({ label: 'Another source' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('contains {isbn}').waitFor();
    await page.getByText('Only this computer can open the catalogue.').waitFor();
    await assertAccessible(page, 'settings');
  });

  test('say what the environment sets', async (t) => {
    const { page } = await openSettings(t, { CATALOGUE_NAME: 'City Library' });
    await page.getByText('it is set by “environment CATALOGUE_NAME”').waitFor();
    assert.equal(await page.getByLabel('Name of the library').isDisabled(), true);
  });

  test('save a copy that can be restored, and say when; an old one is a reminder', async (t) => {
    const { service, page } = await openSettings(t);
    await service.send('POST', '/book', { body: { title: 'Emma' } });
    const none = page.getByText('No copy is known yet.');
    await none.waitFor();
    const [last, hint] = await Promise.all([none, page.getByText('A copy contains all')].map(looksOf));
    assert.deepEqual(last, hint);
    const [above, below] = await Promise.all(
      [none, page.getByRole('button', { name: 'Save a copy' })].map((each) => each.boundingBox()),
    );
    assert.ok(above && below && below.y - above.y - above.height >= 8, 'no space above the button');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save a copy' }).click();
    const download = await saving;
    const file = join(service.folder, download.suggestedFilename());
    await download.saveAs(file);
    assert.equal((await shelflist(['verify', file], { cwd: service.folder })).code, 0);
    await page.getByText('Last copy: ').waitFor();
    await page.getByText('How to bring the books back is in docs/damage.md.').waitFor();
    await writeFile(join(service.folder, 'data', '.last-backup'), '1700000000\n');
    await page.evaluate(() => {
      sessionStorage.removeItem('shelflist:/:backup-reminder');
    });
    await page.goto(`${service.url}/`);
    await page.getByRole('status').getByText('older than 30 days').waitFor();
  });

  test('are not offered by a service that keeps none', async (t) => {
    const { page } = await openLoggedIn(t);
    await accountOf(page).click();
    assert.equal(await page.getByRole('button', { name: 'Settings', exact: true }).count(), 0);
  });
});
