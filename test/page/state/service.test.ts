import assert from 'node:assert/strict';
import { once } from 'node:events';
import { beforeEach, describe, mock, test } from 'node:test';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import { credentials } from '../../support/service.ts';
import { becomeBrowser, browser, disconnect, serve, until } from '../fake-browser.ts';

becomeBrowser();
const service = await import('../../../src/page/state/service.ts');
const { accessOf, askForLogin, catalogueName, client, isOnline, keepRenewing, logOut, readBook, session } =
  service;

const logIn = () => service.logIn(credentials.username, credentials.password);
const kept = () => [...browser.sessionStorage].find(([key]) => key.endsWith(':session'))?.[1];
const tokenOf = (text = '{}') => (JSON.parse(text) as { token?: string }).token;

/** The service refuses the token of the page, as after the end of its session. */
function refuse(): () => void {
  const { fetch } = browser;
  browser.fetch = (request) => {
    const isLogin = new URL(request.url).pathname === '/token';
    if (!isLogin && request.headers.has('authorization')) request.headers.set('authorization', 'expired');
    return fetch(request);
  };
  return () => {
    browser.fetch = fetch;
  };
}

/** Another tab of the same catalogue. */
function openTab() {
  const tab = new BroadcastChannel('shelflist:/:session') as BroadcastChannel & { ref: () => void };
  tab.ref(); // The test waits for its messages.
  return {
    post: (data: object) => {
      tab.postMessage(data);
    },
    next: async () => ((await once(tab, 'message')) as [MessageEvent<unknown>])[0].data,
    close: () => {
      tab.close();
    },
  };
}

describe('the login of the page', () => {
  beforeEach(logOut);

  test('has the name of its catalogue, and what a user may do', () => {
    assert.equal(catalogueName, 'Shelf');
    assert.deepEqual(
      (['out', 'in', 'expired'] as const).map(accessOf),
      [false, true, true].map((may) => ({ canRead: may, canWrite: may })),
    );
  });

  test('survives a reload, but not a logout', async (t) => {
    await serve(t);
    await assert.rejects(service.logIn(credentials.username, 'wrong'), { code: 'invalid_credentials' });
    assert.deepEqual([session.value, kept()], ['out', undefined]);
    await logIn();
    assert.deepEqual([session.value, typeof tokenOf(kept())], ['in', 'string']);
    assert.deepEqual(await client.page({}), { items: [], next: undefined, total: undefined });
    logOut();
    assert.deepEqual([session.value, kept()], ['out', undefined]);
    await assert.rejects(client.page({}), { code: 'token_required' });
    assert.equal(session.value, 'out', 'nobody is asked to log in who was not');
  });

  test('requests wait after its end, and use the next one', async (t) => {
    await serve(t);
    await logIn();
    const accept = refuse();
    const waiting = client.create({ title: 'Emma', author: 'A', year: 1 });
    await until(session, (value) => value === 'expired');
    assert.equal(kept(), undefined);
    accept();
    await logIn();
    assert.deepEqual([session.value, (await waiting).id], ['in', 1]);
  });

  test('waiting requests fail after a logout', async (t) => {
    await serve(t);
    await logIn();
    refuse();
    const waiting = client.page({});
    await until(session, (value) => value === 'expired');
    logOut();
    await assert.rejects(waiting, { code: 'invalid_token' });
    assert.equal(session.value, 'out');
  });

  test('is the same in all tabs: a new tab gets it, and a logout ends it everywhere', async (t) => {
    await serve(t);
    const tab = openTab();
    t.after(tab.close);
    const told = tab.next();
    await logIn();
    const token = tokenOf(kept());
    assert.deepEqual(await told, { token });
    const answer = tab.next();
    tab.post({ asks: true });
    assert.deepEqual(await answer, { token });
    tab.post({ token: null });
    await until(session, (value) => value === 'out');
    assert.equal(kept(), undefined);
    askForLogin();
    tab.post({ token });
    await until(session, (value) => value === 'in');
    assert.equal(tokenOf(kept()), token);
    tab.post({ token: 'of-somebody-else' });
    tab.post({ asks: true });
    assert.deepEqual(await tab.next(), { token }, 'a login that works is not replaced');
    const ended = tab.next();
    logOut();
    assert.deepEqual(await ended, { token: null });
  });

  test('goes on with that of another tab after its end, but not with the one that was refused', async (t) => {
    await serve(t);
    await logIn();
    const token = tokenOf(kept());
    logOut();
    const tab = openTab();
    t.after(tab.close);
    askForLogin();
    tab.post({ token: 'ended' });
    await until(session, (value) => value === 'in');
    const asked = tab.next();
    const waiting = client.page({});
    assert.deepEqual(await asked, { asks: true });
    tab.post({ token: 'ended' });
    tab.post({ token });
    assert.deepEqual(await waiting, { items: [], next: undefined, total: undefined });
    assert.deepEqual([session.value, tokenOf(kept())], ['in', token]);
  });

  test('is renewed at once, every five minutes, and sooner after a connection failure', async (t) => {
    await serve(t);
    await logIn();
    mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.now() });
    let error: ShelflistError | undefined;
    const renew = mock.method(client, 'renew', () => (error ? Promise.reject(error) : Promise.resolve('')));
    t.after(() => {
      mock.timers.reset();
      renew.mock.restore();
    });
    /** How many renewals each of some minutes brings. */
    const renewals = async (minutes: number) => {
      const counts = [];
      for (let i = 0; i < minutes; i++) {
        renew.mock.resetCalls();
        mock.timers.tick(60_000);
        await new Promise(setImmediate);
        counts.push(renew.mock.callCount());
      }
      return counts;
    };
    keepRenewing();
    assert.equal(renew.mock.callCount(), 1);
    assert.deepEqual(await renewals(6), [0, 0, 0, 0, 1, 0]);
    error = new ShelflistError('unreachable');
    assert.deepEqual(await renewals(6), [0, 0, 0, 1, 1, 1]);
    error = new ShelflistError('unavailable');
    assert.deepEqual(await renewals(6), [1, 0, 0, 0, 0, 1], 'the service has answered');
    logOut();
    assert.deepEqual(await renewals(6), [0, 0, 0, 0, 0, 0], 'nobody is logged in');
  });
});

describe('the connection of the page', () => {
  test('is lost when a request fails or the browser says so, and comes back', async (t) => {
    await serve(t);
    await logIn();
    const connect = disconnect();
    await assert.rejects(client.page({}), { code: 'unreachable' });
    assert.equal(isOnline.value, false);
    connect();
    await client.page({});
    assert.equal(isOnline.value, true);
    for (const [type, expected] of [
      ['offline', false],
      ['online', true],
    ] as const) {
      browser.events.dispatchEvent(new Event(type));
      assert.equal(isOnline.value, expected);
    }
  });

  test('is not lost when the page itself aborts a request', async (t) => {
    await serve(t);
    await logIn();
    const abort = new AbortController();
    browser.fetch = (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => {
          reject(request.signal.reason as Error);
        });
        abort.abort();
      });
    const ended = await client.page({}, { signal: abort.signal }).catch((error: unknown) => error);
    assert.deepEqual([service.isAbort(ended), isOnline.value], [true, true]);
    assert.throws(
      () => service.asServiceError(ended),
      (error) => error === ended,
    );
  });

  test('a proxy that makes tags weak leaves a book readable, with a tag that no change accepts', async (t) => {
    await serve(t);
    await logIn();
    await client.create({ title: 'Emma', author: 'A', year: 1 });
    assert.match((await readBook(1)).tag, /^"/);
    const { fetch } = browser;
    browser.fetch = async (request) => {
      const response = await fetch(request);
      const headers = new Headers(response.headers);
      headers.set('etag', `W/${headers.get('etag') ?? ''}`);
      return new Response(response.body, { status: response.status, headers });
    };
    const { book, tag } = await readBook(1);
    assert.deepEqual([book.title, tag], ['Emma', 'W/""']);
    await assert.rejects(readBook(2), { code: 'book_not_found' });
  });
});
