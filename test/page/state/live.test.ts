import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { credentials } from '../../support/service.ts';
import { becomeBrowser, browser, serve, until } from '../fake-browser.ts';

becomeBrowser();
const { client, logIn, logOut } = await import('../../../src/page/state/service.ts');
const {
  changed,
  followOthers,
  changesReceived: heard,
  list,
  withOneRefresh: quietly,
} = await import('../../../src/page/state/live.ts');

const book = (title: string) => ({ title, author: 'A', year: 1 });
const countOf = (requests: string[], name: string) => requests.filter((each) => each === name).length;

/** A catalogue with a book, listed by a page that follows it. */
async function begin(t: TestContext): Promise<{ requests: string[]; stop: () => void }> {
  const requests = await serve(t);
  await logIn(credentials.username, credentials.password);
  await client.create(book('A'));
  await list.open({});
  const before = changed.value;
  const stop = followOthers();
  t.after(() => {
    stop();
    list.close();
    logOut();
  });
  await until(changed, (value) => value > before); // It is connected, and has read again what it may have missed.
  requests.length = 0;
  return { requests, stop };
}

describe('the changes of other users', () => {
  test('are all received; the lists are read once for changes that arrive together', async (t) => {
    await begin(t);
    const [count, reads] = [heard.value.count, changed.value];
    await client.createMany(['B', 'C', 'D'].map(book));
    await client.delete(2);
    await until(heard, ({ count: now }) => now >= count + 4);
    assert.deepEqual([heard.value.event?.change, heard.value.event?.id], ['deleted', 2]);
    assert.equal(changed.value, reads, 'not before a pause');
    await until(changed, (value) => value > reads);
    await until(list.state, ({ total }) => total === 3);
    assert.equal(list.bookAt(1)?.title, 'C');
    await client.create(book('E'));
    await until(list.state, ({ total }) => total === 4);
    assert.equal(changed.value - reads, 2);
  });

  test('a connection while nothing is listed reads nothing', async (t) => {
    const { requests, stop } = await begin(t);
    stop();
    list.close();
    const count = heard.value.count;
    const end = followOthers();
    while (countOf(requests, 'GET /changes') === 0) await new Promise(setImmediate);
    await client.create(book('B'));
    await until(heard, (value) => value.count > count);
    assert.equal(heard.value.count, count + 1, 'the change alone is heard');
    end();
  });

  test('are followed again as soon as the browser is online, including those that were missed', async (t) => {
    const { requests } = await begin(t);
    const reads = changed.value;
    browser.events.dispatchEvent(new Event('online'));
    await until(changed, (value) => value > reads);
    assert.equal(countOf(requests, 'GET /changes'), 1);
    const count = heard.value.count;
    await client.create(book('B'));
    await until(heard, (value) => value.count > count);
    assert.equal(heard.value.count, count + 1, 'the connection before has ended');
  });

  test('are no longer followed after the end', async (t) => {
    const { requests, stop } = await begin(t);
    const { count } = heard.value;
    await client.create(book('B'));
    await until(heard, (value) => value.count > count);
    const reads = changed.value;
    stop(); // The pause before the lists are read ends, too.
    browser.events.dispatchEvent(new Event('online'));
    await client.create(book('C'));
    await quietly(() => Promise.resolve()); // Reads again at once.
    assert.equal(changed.value, reads + 1);
    assert.deepEqual([heard.value.count, countOf(requests, 'GET /changes')], [count + 1, 0]);
  });
});

describe('work with many changes', () => {
  test('the lists are read once, after the last such task, even if it fails', async (t) => {
    await begin(t);
    const reads = changed.value;
    let finish: () => void = () => undefined;
    const long = quietly(() => new Promise<void>((resolve) => (finish = resolve)));
    const failing = quietly(async () => {
      await client.create(book('B'));
      throw new Error('as it happens');
    });
    await assert.rejects(failing, { message: 'as it happens' });
    assert.equal(changed.value, reads, 'another one goes on');
    finish();
    await long;
    assert.equal(changed.value - reads, 1);
    await until(list.state, ({ total }) => total === 2);
  });
});
