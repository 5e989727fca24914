import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ShelflistError } from '../../src/index.ts';
import { skip } from '../support/browser.ts';
import { accountOf, openCatalogue, openLoggedIn, waitForLogin } from '../support/catalogue-page.ts';
import { credentials } from '../support/service.ts';

const newPassword = 'the new password of this test';

async function change(page: Page, password: string, next: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByLabel('New password', { exact: true }).fill(next);
  await dialog.getByLabel('New password again').fill(next);
  await dialog.getByRole('button', { name: 'Change password' }).click();
}

const open = async (page: Page) => {
  await accountOf(page).click();
  await page.getByRole('button', { name: 'Change password' }).click();
};

describe('the password, in the page', { skip }, () => {
  test('is changed by somebody who knows it, who then stays logged in', async (t) => {
    const stored: string[] = [];
    const { page } = await openLoggedIn(t, {
      config: { storePassword: (password) => void stored.push(password) },
    });
    await open(page);
    await change(page, 'wrong', newPassword);
    await page.getByRole('alert').getByText('This is not the current password.').waitFor();
    await change(page, credentials.password, newPassword);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('The password has been changed.').waitFor();
    assert.ok(await accountOf(page).evaluate((element) => element === document.activeElement));
    assert.deepEqual(stored, [newPassword]);
    await page.reload();
    const renewed = page.waitForResponse('**/token/renew');
    await page.reload();
    assert.equal((await renewed).status(), 200);
    await waitForLogin(page);
  });

  test('is typed twice, and has ten characters at least; its strength is shown', async (t) => {
    const { page } = await openLoggedIn(t, {
      config: { storePassword: () => assert.fail('a password was stored') },
    });
    await open(page);
    await change(page, credentials.password, 'x');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('at least 10 characters').waitFor();
    await dialog.getByText('Weak: easy to guess.').waitFor();
    await dialog.getByLabel('New password', { exact: true }).fill(newPassword);
    await dialog.getByText('Strong.').waitFor();
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('The two new passwords are not the same.').waitFor();
  });

  for (const [code, text] of [
    ['invalid_payload', 'cannot keep this password'],
    ['unavailable', 'could not store the new password'],
  ] as const)
    test(`that the service refuses with ${code} stays as it was, and the page says why`, async (t) => {
      const storePassword = () => Promise.reject(new ShelflistError(code));
      const { page } = await openLoggedIn(t, { config: { storePassword } });
      await open(page);
      await change(page, credentials.password, newPassword);
      await page.getByRole('alert').getByText(text).waitFor();
    });

  test('cannot be changed by a reader, or where the service cannot store it', async (t) => {
    const { page } = await openLoggedIn(t);
    await accountOf(page).click();
    assert.equal(await page.getByRole('button', { name: 'Change password' }).count(), 0);
    const reading = await openCatalogue(t, { config: { publicRead: true, storePassword: () => undefined } });
    await reading.page.getByRole('button', { name: 'Log in' }).waitFor();
    await accountOf(reading.page).click();
    assert.equal(await reading.page.getByRole('button', { name: 'Change password' }).count(), 0);
  });
});
