import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readTokenUser } from '../../src/lib/token-claims.ts';
import { skip } from '../support/browser.ts';
import {
  codeOf,
  logIn,
  logOut,
  numberedBooks,
  openCatalogue,
  openLoggedIn,
  titlesOf,
  waitForLogin,
} from '../support/catalogue-page.ts';
import { credentials, type TestService } from '../support/service.ts';

/** Has the service refuse the token of requests to this path. */
const refuse = (page: Page, path: string) =>
  page.route(path, (route) =>
    route.fulfill({ status: 401, json: { status: 401, message: 'Invalid token', data: null } }),
  );

describe('the login of a page that nobody uses', { skip }, () => {
  test('is renewed every five minutes', async (t) => {
    const { page } = await openLoggedIn(t);
    let renewals = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/token/renew')) renewals++;
    });
    const renewal = () => page.waitForResponse('**/token/renew');
    await page.clock.install();
    const [atStart] = await Promise.all([renewal(), page.reload()]);
    await page.clock.fastForward('04:30');
    assert.deepEqual([atStart.status(), renewals], [200, 1]);
    const [later] = await Promise.all([renewal(), page.clock.fastForward('01:30')]);
    assert.deepEqual([later.status(), renewals], [200, 2]);
  });

  test('is not asked for when the stream of changes is refused, but by the next request', async (t) => {
    const { page } = await openLoggedIn(t, { books: numberedBooks(3) });
    await refuse(page, '**/changes*');
    await page.clock.install();
    await Promise.all([page.waitForResponse('**/changes*'), page.reload()]);
    await page.getByRole('rowheader').first().waitFor();
    await Promise.all([page.waitForResponse('**/changes*'), page.clock.fastForward('00:10')]);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal((await titlesOf(page)).length, 3);

    await refuse(page, '**/books?*');
    await page.getByLabel('Search books').fill('Book 2');
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
  });
});

describe('the tabs of a browser', { skip }, () => {
  test('have one login, until one of them logs out', async (t) => {
    const { page } = await openLoggedIn(t);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await waitForLogin(second);
    await second.reload();
    await logOut(second);
    for (const each of [page, second]) await each.getByRole('button', { name: 'Log in' }).waitFor();
    await logIn(page);
    for (const each of [page, second]) await waitForLogin(each);
  });

  test('go on with the login of another one when theirs has ended', async (t) => {
    const { page } = await openLoggedIn(t);
    // The second tab would renew the login, and lend the new token to the first one.
    const failure = { status: 503, message: 'Service unavailable', data: null };
    await page.context().route('**/token/renew', (route) => route.fulfill({ status: 503, json: failure }));
    const second = await page.context().newPage();
    await second.goto(page.url());
    await waitForLogin(second);
    for (const each of [page, second]) {
      await refuse(each, '**/books?*');
      await each.getByLabel('Search books').fill('Book 2');
      await each.getByRole('dialog', { name: 'Log in again' }).waitFor();
      await each.unroute('**/books?*');
    }
    await logIn(page);
    for (const each of [page, second])
      await each.getByRole('dialog', { name: 'Log in again' }).waitFor({ state: 'detached' });
  });
});

/** The token of a login in another second than those before: tokens of one second are the same, and the page has refused them. */
async function newToken(service: TestService): Promise<string> {
  const logIn = async () => {
    const { envelope } = await service.request('POST', '/token', { body: credentials });
    return (envelope?.data as { token: string }).token;
  };
  const former = await logIn();
  for (;;) {
    const token = await logIn();
    if (token !== former) return token;
  }
}

describe('a link with a code', { skip }, () => {
  const old = '#code=garbage';

  test('leaves a reader without a login, and without the code in the address, if it has ended', async (t) => {
    const { page, service } = await openCatalogue(t, {
      config: { publicRead: true },
      books: numberedBooks(3),
      address: old,
    });
    await page.getByRole('rowheader').first().waitFor();
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This link has already been used, or is older than a minute.').waitFor();
    assert.deepEqual([(await titlesOf(page)).length, page.url()], [3, `${service.url}/`]);
  });

  test('leaves the login of the other tabs to a new one, if it has ended', async (t) => {
    const { page } = await openLoggedIn(t);
    const second = await page.context().newPage();
    await second.goto(page.url() + old);
    for (const each of [page, second]) await waitForLogin(each);
    assert.equal(await second.getByRole('dialog').count(), 0);
  });

  test('logs a tab in, and the other tabs whose login has ended', async (t) => {
    const { page, service } = await openLoggedIn(t, { books: numberedBooks(3) });
    const second = await page.context().newPage();
    await second.goto(page.url());
    await waitForLogin(second);
    await refuse(second, '**/books?*');
    await second.getByLabel('Search books').fill('Book 2');
    await second.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await second.unroute('**/books?*');
    const code = await codeOf(service, await newToken(service));
    await page.evaluate(`for (const key of Object.keys(sessionStorage))
      if (key.endsWith(':session')) sessionStorage.setItem(key, JSON.stringify({ token: 'ended' }))`);
    await page.goto('about:blank');
    await page.goto(`${service.url}/#code=${code}`);
    await page.getByText('3 books').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await second.getByRole('dialog', { name: 'Log in again' }).waitFor({ state: 'detached' });
  });

  test('asks before it logs a tab in as another user', async (t) => {
    const { page, service } = await openCatalogue(t, {
      config: {
        authUsername: undefined,
        authPassword: undefined,
        authenticate: ({ username }) => ({ name: username }),
      },
    });
    const follow = async () => {
      await page.goto('about:blank');
      await page.goto(`${service.url}/#code=${await codeOf(service)}`);
      const dialog = page.getByRole('dialog', { name: 'Log in with this link?' });
      await dialog.getByText(`“${credentials.username}”`).waitFor();
      assert.equal(page.url(), `${service.url}/`);
      return dialog;
    };
    for (const isLoggedIn of [false, true]) {
      await (await follow()).getByRole('button', { name: 'Cancel' }).click();
      if (!isLoggedIn) await logIn(page, { username: 'ada', password: 'any' });
      await waitForLogin(page);
    }
    const accept = (await follow()).getByRole('button', { name: `Log in as ${credentials.username}` });
    await Promise.all([page.waitForEvent('load'), accept.click()]);
    await waitForLogin(page);
    const sent = page.waitForRequest('**/books?*');
    await page.getByLabel('Search books').fill('emma');
    const { authorization = '' } = await (await sent).allHeaders();
    assert.equal(readTokenUser(authorization), credentials.username);

    await page.goto('about:blank');
    await page.goto(`${service.url}/#code=${await codeOf(service)}`);
    await waitForLogin(page);
    assert.equal(await page.getByRole('dialog').count(), 0); // The same user.
  });
});

test('a reader who logs in is told of no login before, and goes on in the list', { skip }, async (t) => {
  const { page } = await openCatalogue(t, { config: { publicRead: true }, books: numberedBooks(3) });
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('dialog', { name: 'Log in', exact: true }).waitFor();
  assert.equal(await page.getByText('Your login has ended').count(), 0);
  await logIn(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.getElementById("main").contains(document.activeElement)'), true);
});

describe('the page for the login', { skip }, () => {
  test('shows what is typed as the password, if asked to', async (t) => {
    const { page } = await openCatalogue(t);
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('a long one');
    assert.equal(await password.getAttribute('type'), 'password');
    await page.getByLabel('Show password').check();
    assert.deepEqual(
      [await password.getAttribute('type'), await password.inputValue()],
      ['text', 'a long one'],
    );
    await page.getByLabel('Show password').uncheck();
    assert.equal(await password.getAttribute('type'), 'password');
  });

  test('takes what a password manager fills in, or what is pasted', async (t) => {
    const { page } = await openCatalogue(t, { books: numberedBooks(3) });
    const [name, password] = [page.getByLabel('Username'), page.getByLabel('Password', { exact: true })];
    assert.equal(await name.getAttribute('autocomplete'), 'username');
    assert.equal(await password.getAttribute('autocomplete'), 'current-password');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [field, text] of [
      [name, credentials.username],
      [password, credentials.password],
    ] as const) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await field.press('Control+V');
    }
    await password.press('Enter');
    await page.getByText('3 books').waitFor();
  });

  test('says on the machine of the service where the password is', async (t) => {
    const { page } = await openCatalogue(t);
    await page.getByText('are in the file .env').waitFor();
  });
});

describe('an empty catalogue', { skip }, () => {
  test('offers a new book and an import to somebody who may write', async (t) => {
    const { page } = await openLoggedIn(t);
    const main = page.locator('#main');
    await main.getByRole('button', { name: 'New book' }).click();
    await page.getByRole('dialog', { name: 'New book' }).waitFor();
    await page.keyboard.press('Escape');
    await main.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  });

  test('offers neither to a reader', async (t) => {
    const { page } = await openCatalogue(t, { config: { publicRead: true } });
    await page.getByText('There are no books yet').waitFor();
    assert.equal(await page.getByText('Add the first one').count(), 0);
    assert.equal(await page.locator('#main').getByRole('button', { name: 'New book' }).count(), 0);
  });
});
