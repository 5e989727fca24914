import assert from 'node:assert/strict';
import { once } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { becomeBrowser, browser } from '../fake-browser.ts';

becomeBrowser();
const {
  changeQuery,
  closeBook,
  closeDialog,
  dialog,
  formatRoute,
  home,
  navigate,
  openBook,
  openDialog,
  route,
} = await import('../../../src/page/state/navigation.ts');

const { history } = browser;
const address = () => `.${history.url.pathname}${history.url.search}`;
const wentBack = () => once(browser.events, 'popstate');

describe('the history of the page', () => {
  beforeEach(() => {
    history.open('./');
  });

  for (const [search, expected] of [
    [
      './?view=stats&q=emma&sort=-year&yearFrom=1800',
      { view: 'stats', query: { q: 'emma', sort: '-year', yearFrom: 1800 } },
    ],
    ['./?book=7', { view: 'list', query: {}, book: 7 }],
    ['./?view=duplicates&level=typo', { view: 'duplicates', query: {}, level: 'typo' }],
    [
      './?view=unknown&q=&book=0&sort=&limit=5&after=x&count=true&level=none&yearFrom=x',
      { view: 'list', query: {} },
    ],
  ] as const)
    test(`an address becomes a route, and the same address again: ${search}`, () => {
      history.open(search);
      assert.deepEqual(route.value, expected);
      history.open(formatRoute(route.value));
      assert.deepEqual(route.value, expected);
    });

  test('a new view adds an entry; a replacement or the same address does not', async () => {
    navigate({ view: 'stats', query: {} });
    assert.deepEqual([address(), history.length, history.state], ['./?view=stats', 2, { isOwn: true }]);
    navigate({ view: 'stats', query: {} });
    assert.equal(history.length, 2);
    navigate({ view: 'list', query: { q: 'em' } }, 'replace');
    assert.deepEqual([address(), history.length, history.state], ['./?q=em', 2, { isOwn: true }]);
    const back = wentBack();
    history.back();
    await back;
    assert.deepEqual(route.value, home);
  });

  test('closing a book goes back if the page opened it, and replaces the entry if a link did', async () => {
    openBook(3);
    assert.deepEqual([address(), history.length, route.value.book], ['./?book=3', 2, 3]);
    const back = wentBack();
    closeBook();
    await back;
    assert.deepEqual([address(), route.value], ['./', home]);
    closeBook(); // Nothing is open: nothing happens.
    assert.deepEqual([address(), history.length], ['./', 2]);
    history.open('./?q=x&book=4');
    closeBook();
    assert.deepEqual([address(), history.length, route.value.book], ['./?q=x', 1, undefined]);
  });

  test('a dialog adds an entry: Back closes it, and closing it goes back', async () => {
    openDialog('add');
    assert.deepEqual([dialog.value, history.length], ['add', 2]);
    const byBrowser = wentBack();
    history.back();
    await byBrowser;
    assert.equal(dialog.value, undefined);
    openDialog('help');
    const byPage = wentBack();
    closeDialog();
    assert.equal(dialog.value, undefined);
    await byPage;
    assert.deepEqual([history.state, dialog.value], [null, undefined]);
    closeDialog(); // It is closed already: this must not leave the page.
    assert.equal(history.state, null);
  });

  test('actions during a step back wait for its end, in order', async () => {
    openDialog('add');
    const back = wentBack();
    closeDialog();
    navigate({ view: 'list', query: { q: 'emma' } });
    openBook(5);
    assert.equal(address(), './', 'the browser has not gone back yet');
    await back;
    assert.deepEqual(
      [address(), history.length, route.value.book, dialog.value],
      ['./?q=emma&book=5', 3, 5, undefined],
    );
    const first = wentBack();
    closeBook();
    openDialog('add');
    closeDialog(); // A second way back, behind the first.
    await first;
    await wentBack();
    assert.deepEqual([address(), route.value.book, dialog.value], ['./?q=emma', undefined, undefined]);
  });

  test('a change of a query removes empty fields', () => {
    assert.deepEqual(
      changeQuery({ q: 'a', sort: 'title', yearFrom: 1 }, { q: '', yearFrom: undefined, yearTo: 0 }),
      {
        sort: 'title',
        yearTo: 0,
      },
    );
  });
});
