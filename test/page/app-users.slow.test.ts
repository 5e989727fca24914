import assert from 'node:assert/strict';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPage, skip } from '../support/browser.ts';
import { accountOf } from '../support/catalogue-page.ts';
import { settings } from '../support/cli.ts';
import { startApp } from '../support/example-apps.ts';
import { root } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

test('a user of examples/sessions.js uses the page without a login of its own', { skip }, async (t) => {
  const cwd = await temporaryFolder(t);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules/shelflist'), 'junction');
  for (const name of ['sessions.js', 'settings.js'])
    await copyFile(join(root, 'examples', name), join(cwd, name));
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
  const url = await startApp(t, ['sessions.js'], /^(http.+\/)$/, { cwd });

  const page = await openPage(t, `${url}catalogue/`);
  await page.getByRole('heading', { name: 'Log in to the site that this catalogue is part of' }).waitFor();
  await page.goto(url);
  await page.getByPlaceholder('Name').fill(settings.AUTH_USERNAME);
  await page.getByPlaceholder('Password').fill(settings.AUTH_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();

  await page.locator('#main').waitFor();
  assert.equal(page.url(), `${url}catalogue/`);
  await accountOf(page).click();
  assert.equal(await page.getByRole('button', { name: 'Log out' }).count(), 0);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New book' });
  await dialog.getByLabel('Title').fill('Sanditon');
  await page.keyboard.press('Enter');
  await page.getByText('“Sanditon” was added.').waitFor();
  await page.reload();
  await page.getByText('1 book', { exact: true }).waitFor();

  // The session ends: what is typed stays, until the user is known again.
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.keyboard.press('n');
  await dialog.getByLabel('Title').fill('Emma');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('Log in to do this.').waitFor();
  await page.context().addCookies(cookies);
  await page.keyboard.press('Enter');
  await page.getByText('“Emma” was added.').waitFor();
});
