import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import { credentials } from '../../support/service.ts';
import { becomeBrowser, browser, disconnect, serve, until } from '../fake-browser.ts';

becomeBrowser();
const { client, isOnline, logIn } = await import('../../../src/page/state/service.ts');
const { describeFailure, ImportRun } = await import('../../../src/page/state/import-run.ts');
const { texts } = await import('../../../src/page/texts/current.ts');

/** A file of some books, which takes one request for every thousand. */
function fileOf(count: number, more = '') {
  const rows = Array.from({ length: count }, (_, i) => `Book ${i},A,2000\n`);
  const file = new Blob([`title,author,year\n${rows.join('')}${more}`]);
  return { file, fileName: 'books.csv', chosen: {}, isMatched: false, onDuplicate: 'add' } as const;
}

async function begin(t: TestContext) {
  const requests = await serve(t);
  await logIn(credentials.username, credentials.password);
  isOnline.set(true);
  return { requests, run: new ImportRun() };
}

const total = async () => (await client.page({ limit: 1, count: true })).total;
/** Whether the browser asks before the page is left. */
const asks = () => !browser.events.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const phase = (run: InstanceType<typeof ImportRun>, wanted: string) =>
  until(run.state, (state) => state.phase === wanted);

describe('the import of a file', () => {
  test('adds its books, reports its progress, and is undone as a whole', async (t) => {
    const { run } = await begin(t);
    const done: number[] = [];
    run.state.subscribe(() => {
      const { phase, outcome } = run.state.value;
      if (phase === 'sending' && outcome !== undefined) done.push(outcome.done);
    });
    const started = run.start(fileOf(1100, 'Bad,A,1900,more\n'));
    assert.deepEqual([run.state.value.phase, asks()], ['sending', true]);
    await started;
    const { phase, outcome, error, isUnsure } = run.state.value;
    assert.deepEqual(
      [phase, outcome?.added, outcome?.rejected, error, isUnsure],
      ['done', 1100, 1, undefined, false],
    );
    assert.ok(done.length > 1 && done.at(-1) === 1101, `progress: ${done.join(', ')}`); // Its end is one of them.
    assert.deepEqual([asks(), await total()], [false, 1100]);
    const undoing = run.undo();
    assert.deepEqual([run.state.value.phase, asks()], ['undoing', true]);
    await undoing;
    const { phase: after, undone } = run.state.value;
    assert.deepEqual(
      [after, undone?.undone, undone?.left, asks(), await total()],
      ['done', 1100, [], false, 0],
    );
  });

  for (const [how, goOn] of [
    [
      'when somebody says so',
      (run: InstanceType<typeof ImportRun>) => {
        run.goOn();
      },
    ],
    [
      'by itself when the service can be reached',
      () => {
        isOnline.set(true);
      },
    ],
  ] as const)
    test(`waits after a failed request, and continues ${how}, with each book once`, async (t) => {
      const { run } = await begin(t);
      const connect = disconnect();
      const started = run.start(fileOf(3));
      await phase(run, 'paused');
      assert.deepEqual([run.state.value.error, asks()], [texts.errors.unreachable, true]);
      connect();
      goOn(run);
      assert.deepEqual([run.state.value.phase, run.state.value.error], ['sending', undefined]);
      await started;
      assert.deepEqual([run.state.value.outcome?.added, await total()], [3, 3]);
    });

  test('pauses again when the next attempt fails, too', async (t) => {
    const { run } = await begin(t);
    const connect = disconnect();
    const started = run.start(fileOf(3));
    for (let i = 0; i < 2; i++) {
      await phase(run, 'paused');
      run.goOn();
      assert.equal(run.state.value.phase, 'sending');
      run.goOn(); // Nothing waits any more.
    }
    await phase(run, 'paused');
    connect();
    run.goOn();
    await started;
    assert.equal(await total(), 3);
  });

  test('stopped during a pause, is uncertain about the last request, and an undo finds nothing', async (t) => {
    const { run } = await begin(t);
    const connect = disconnect();
    const started = run.start(fileOf(3));
    await phase(run, 'paused');
    run.stop();
    assert.deepEqual([run.state.value.phase, run.state.value.error], ['stopping', undefined]);
    run.goOn(); // Too late.
    assert.equal(run.state.value.phase, 'stopping');
    await started;
    const { phase: end, error, isUnsure } = run.state.value;
    assert.deepEqual([end, error, isUnsure, asks()], ['done', undefined, true, false]);
    await run.undo();
    assert.deepEqual(run.state.value.error, texts.errors.unreachable);
    connect();
    await run.undo();
    assert.deepEqual([run.state.value.undone, run.state.value.error], [{ undone: 0, left: [] }, undefined]);
  });

  test('stopped during a request, counts what that request does, and sends no more', async (t) => {
    const { run, requests } = await begin(t);
    const { fetch } = browser;
    browser.fetch = async (request) => {
      const answer = await fetch(request);
      if (request.method === 'POST') run.stop();
      return answer;
    };
    await run.start(fileOf(5000));
    const { outcome, isUnsure, phase: end } = run.state.value;
    assert.deepEqual([end, isUnsure, outcome?.added], ['done', false, await total()]);
    assert.ok(requests.filter((each) => each === 'POST /books').length <= 2, requests.join());
    run.stop(); // It has ended: nothing to stop.
    assert.equal(run.state.value.phase, 'done');
  });

  test('reports a file that can no longer be read', async (t) => {
    const { run } = await begin(t);
    const file = new Blob(['title\nA\n']);
    file.slice = () => {
      throw new DOMException('gone', 'NotReadableError');
    };
    await run.start({ ...fileOf(0), file });
    assert.deepEqual([run.state.value.phase, run.state.value.error], ['done', texts.importing.unreadable]);
  });

  test('describes a failure by its kind', () => {
    assert.deepEqual(
      [new ShelflistError('forbidden'), new DOMException('x'), new TypeError('x'), new Error('x')].map(
        describeFailure,
      ),
      [
        texts.errors.forbidden,
        texts.importing.unreadable,
        texts.importing.notLoaded,
        texts.importing.notLoaded,
      ],
    );
  });
});
