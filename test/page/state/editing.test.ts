import assert from 'node:assert/strict';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { credentials } from '../../support/service.ts';
import { becomeBrowser, browser, disconnect, serve } from '../fake-browser.ts';

becomeBrowser();
const { client, logIn } = await import('../../../src/page/state/service.ts');
const { list } = await import('../../../src/page/state/live.ts');
const module = await import('../../../src/page/state/editing.ts');
const { editDeleted, editing, editTheirs, emptyDraft, isDraft, mergedFields, parseDraft, restoreAndSave } =
  module;
const { editShown, saveEditing, saveOverTheirs, startEditing, stopEditing, typeInto } = module;

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };
const now = () => {
  assert.ok(editing.value !== undefined);
  return editing.value;
};
const kept = () => {
  const text = [...browser.sessionStorage].find(([key]) => key.endsWith('draft:edit'))?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as { draft: object }).draft;
};

/** A catalogue with two books, whose first one is edited. */
async function begin(t: TestContext): Promise<string[]> {
  const requests = await serve(t);
  await logIn(credentials.username, credentials.password);
  await client.createMany([emma, { ...emma, title: 'Persuasion' }]);
  await startEditing(1, 'row');
  requests.length = 0;
  return requests;
}

/** Holds the next request back until the function that it returns is called. */
function hold(): () => void {
  const { fetch } = browser;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  browser.fetch = async (request) => {
    browser.fetch = fetch;
    await held;
    return fetch(request);
  };
  return release;
}

describe('the fields of a form', () => {
  for (const [year, expected] of [
    ['', 0],
    [' 1815 ', 1815],
    ['-44', -44],
    ['−44', -44],
    ['+7', 7],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', undefined],
    ['18.5', undefined],
    ['1e3', undefined],
    ['x', undefined],
  ] as const)
    test(`the year ${JSON.stringify(year)} is ${expected ?? 'refused'}`, () => {
      const parsed = parseDraft({ title: 'a', author: '\ud800', year });
      assert.deepEqual(
        parsed,
        expected === undefined
          ? { wrong: 'year' }
          : { fields: { title: 'a', author: '\ufffd', year: expected } },
      );
    });

  test('a stored value is a draft only with the text of each field', () => {
    assert.deepEqual(
      [emptyDraft, { title: '', author: '' }, { title: '', author: '', year: 1 }, null, 'x'].map(isDraft),
      [true, false, false, false, false],
    );
  });
});

describe('editing a book', () => {
  beforeEach(stopEditing);

  test('sends only what was changed, and ends', async (t) => {
    const requests = await begin(t);
    assert.deepEqual(now().draft, { title: 'Emma', author: 'Jane Austen', year: '1815' });
    typeInto('year', '1816');
    await client.update(1, { author: 'J. Austen', year: 1817 }); // A change of another user, not seen here.
    const saved = await saveEditing();
    assert.equal(saved, undefined);
    assert.deepEqual(
      [now().error, now().theirs?.book.author],
      [{ code: 'precondition_failed' }, 'J. Austen'],
    );
    const merged = await saveOverTheirs();
    assert.deepEqual(merged?.book, { id: 1, title: 'Emma', author: 'J. Austen', year: 1816 });
    assert.deepEqual(await client.get(1), merged.book);
    assert.deepEqual([editing.value, kept()], [undefined, undefined]);
    const undone = await client.undo(merged.batch);
    assert.deepEqual([undone.undone, (await client.get(1)).year], [1, 1817]);
    assert.equal(requests.filter((each) => each.startsWith('PUT')).length, 3);
  });

  test('is merged with what somebody else has changed in other fields, without a question', async (t) => {
    await begin(t);
    typeInto('year', '1816');
    await client.update(1, { author: 'J. Austen' });
    const saved = await saveEditing();
    assert.deepEqual(
      [saved?.book, saved?.isMerged, editing.value],
      [{ id: 1, title: 'Emma', author: 'J. Austen', year: 1816 }, true, undefined],
    );
    await client.undo(saved?.batch ?? '');
    assert.deepEqual(await client.get(1), { id: 1, ...emma, author: 'J. Austen' });
  });

  test('ends if somebody else has saved the same', async (t) => {
    await begin(t);
    typeInto('year', '1816');
    await client.update(1, { year: 1816 });
    assert.deepEqual([await saveEditing(), editing.value], [undefined, undefined]);
    assert.equal((await client.get(1)).year, 1816);
  });

  test('goes on from their state if the merged one cannot be saved', async (t) => {
    await begin(t);
    typeInto('year', '1816');
    await client.update(1, { author: 'J. Austen' });
    const { fetch } = browser;
    let connect: (() => void) | undefined;
    browser.fetch = async (request) => {
      const response = await fetch(request);
      if (request.method === 'GET') connect = disconnect(); // After their state was read.
      return response;
    };
    assert.equal(await saveEditing(), undefined);
    connect?.();
    assert.deepEqual([now().error, now().draft.author], [{ code: 'unreachable' }, 'J. Austen']);
    assert.equal((await saveEditing())?.book.author, 'J. Austen');
  });

  test('sends no request if nothing has changed', async (t) => {
    const requests = await begin(t);
    typeInto('year', ' 1815 ');
    assert.deepEqual([await saveEditing(), editing.value, requests], [undefined, undefined, []]);
  });

  test('keeps an invalid text, and names its field, until it is typed again', async (t) => {
    const requests = await begin(t);
    typeInto('year', '18x5');
    assert.deepEqual([await saveEditing(), now().wrong, requests], [undefined, 'year', []]);
    typeInto('title', 'Emma 2');
    assert.equal(now().wrong, 'year');
    typeInto('year', '1815');
    assert.deepEqual(
      [now().wrong, kept()],
      [undefined, { title: 'Emma 2', author: 'Jane Austen', year: '1815' }],
    );
  });

  test('keeps what was typed when the service cannot be reached, and saves it later', async (t) => {
    await begin(t);
    typeInto('title', 'Emma 2');
    const connect = disconnect();
    assert.equal(await saveEditing(), undefined);
    assert.deepEqual(
      [now().error, now().isSaving, now().draft.title],
      [{ code: 'unreachable' }, false, 'Emma 2'],
    );
    assert.deepEqual(kept(), now().draft);
    typeInto('author', 'A');
    assert.deepEqual(now().error, { code: 'unreachable' }, 'typing does not hide the problem');
    connect();
    assert.deepEqual((await saveEditing())?.book, { id: 1, title: 'Emma 2', author: 'A', year: 1815 });
  });

  test('cannot be changed or saved again while it is being saved', async (t) => {
    const requests = await begin(t);
    typeInto('title', 'Emma 2');
    const release = hold();
    const saved = saveEditing();
    assert.equal(now().isSaving, true);
    typeInto('title', 'Emma 3');
    assert.deepEqual([now().draft.title, await saveEditing()], ['Emma 2', undefined]);
    release();
    assert.equal((await saved)?.book.title, 'Emma 2');
    assert.deepEqual(requests, ['PUT /book/1']);
  });

  test('reports a failure after it was cancelled, and opens nothing', async (t) => {
    await begin(t);
    typeInto('title', 'Emma 2');
    const connect = disconnect();
    const saved = saveEditing();
    stopEditing();
    await assert.rejects(saved, { code: 'unreachable' });
    assert.deepEqual([editing.value, kept()], [undefined, undefined]);
    connect();
  });

  test('continues from the state of another user, with the fields that were changed here', async (t) => {
    await begin(t);
    typeInto('title', 'Mine');
    await client.update(1, { title: 'Theirs', year: 1999 });
    await saveEditing();
    assert.deepEqual(mergedFields(now()), { title: 'Mine', author: 'Jane Austen', year: 1999 });
    editTheirs();
    assert.deepEqual(now().draft, { title: 'Mine', author: 'Jane Austen', year: '1999' });
    assert.deepEqual([now().error, now().theirs, now().base.book.title], [undefined, undefined, 'Theirs']);
    assert.equal((await saveEditing())?.book.title, 'Mine');
    assert.equal(await saveOverTheirs(), undefined, 'there is no conflict any more');
  });

  test('brings a deleted book back with what was typed, as one batch', async (t) => {
    await begin(t);
    typeInto('title', 'Emma 2');
    await client.delete(1);
    editDeleted();
    assert.deepEqual(
      [now().place, now().error, now().draft.title],
      ['sheet', { code: 'book_not_found' }, 'Emma 2'],
    );
    const saved = await restoreAndSave();
    assert.ok(saved !== undefined);
    assert.equal((await client.get(1)).title, 'Emma 2');
    await client.undo(saved.batch);
    await assert.rejects(client.get(1), { code: 'book_not_found' });
  });

  test('the next edit saves the previous one; one that cannot be saved remains open', async (t) => {
    await begin(t);
    typeInto('title', 'Emma 2');
    const { saved } = await startEditing(2, 'sheet');
    assert.deepEqual([saved?.book.title, now().base.book.id, now().place], ['Emma 2', 2, 'sheet']);
    typeInto('year', 'x');
    const { unsaved } = await startEditing(1, 'row');
    assert.deepEqual([unsaved?.base.book.id, now().base.book.id, now().wrong], [2, 2, 'year']);
    assert.deepEqual(await startEditing(2, 'row'), {}, 'the same book goes on, elsewhere');
    assert.deepEqual([now().place, now().draft.year], ['row', 'x']);
  });

  test('if two begin at once, the last one counts; after a cancel, neither', async (t) => {
    await begin(t);
    stopEditing();
    await Promise.all([startEditing(1, 'row'), startEditing(2, 'row')]);
    assert.equal(now().base.book.id, 2);
    const begun = startEditing(1, 'row');
    stopEditing();
    await begun;
    assert.equal(editing.value, undefined);
  });

  test('in a row begins at once, with the text as shown; saving reads whether it is still so', async (t) => {
    const requests = await begin(t);
    stopEditing();
    await editShown({ id: 1, ...emma }).saving;
    assert.deepEqual([now().draft.title, requests], ['Emma', []]);
    typeInto('title', 'Emma 2');
    assert.equal((await saveEditing())?.book.title, 'Emma 2');
    editShown({ id: 1, ...emma }); // Shown before the change arrived.
    typeInto('year', '1816');
    const saved = await saveEditing();
    assert.deepEqual([saved?.book.title, saved?.book.year, saved?.isMerged], ['Emma 2', 1816, true]);
    editShown({ id: 1, ...emma });
    typeInto('title', 'Emma 3');
    assert.equal(await saveEditing(), undefined);
    assert.deepEqual([now().error, now().theirs?.book.title], [{ code: 'precondition_failed' }, 'Emma 2']);
  });

  test('goes on in the next row while one is saved; if that fails, it is shown when the other has ended', async (t) => {
    await begin(t);
    typeInto('title', 'Emma 2');
    const release = hold();
    const first = saveEditing();
    const { unsaved } = editShown({ id: 2, ...emma, title: 'Persuasion' });
    assert.deepEqual([unsaved, now().base.book.id], [undefined, 2]);
    typeInto('title', 'Persuasion 2');
    release();
    assert.equal((await first)?.book.title, 'Emma 2');
    assert.deepEqual([now().base.book.id, now().draft.title], [2, 'Persuasion 2']);

    const connect = disconnect();
    const second = saveEditing();
    editShown({ id: 1, ...emma, title: 'Emma 2' });
    assert.equal(await second, undefined);
    connect();
    typeInto('title', 'Emma 3');
    assert.equal((await saveEditing())?.book.title, 'Emma 3');
    assert.deepEqual(
      [now().base.book.id, now().draft.title, now().error],
      [2, 'Persuasion 2', { code: 'unreachable' }],
    );
    assert.equal((await saveEditing())?.book.title, 'Persuasion 2');
    assert.equal(editing.value, undefined);
  });

  test('shows the saved book in the list at once', async (t) => {
    await begin(t);
    await list.open({});
    typeInto('title', 'Emma 2');
    await saveEditing();
    assert.equal(list.bookAt(0)?.title, 'Emma 2');
    list.close();
  });
});
