import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { ShelflistError } from '../../../src/index.ts';
import { shelflist, titleOf } from '../../support/cli.ts';
import { gatedStore } from '../../support/gated-store.ts';
import { startService, type TestService } from '../../support/service.ts';
import { stubStore } from '../../support/stub-store.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const books = [
  { title: 'Emma', author: 'Jane Austen' },
  { title: 'Emma', author: 'Jane Austen' },
  { title: 'Emma', author: 'Austen, Jane' },
];
const duplicates = ['duplicates', '--format', 'ndjson', '--level', 'same'];
const byNumber = ['authors', '--sort', '-count'];
const variants = ['authors', '--variants'];
const found =
  '[{"id":1,"title":"Emma","author":"Jane Austen","year":0},{"id":2,"title":"Emma","author":"Jane Austen","year":0}]\n';

const cwd = await temporaryFolder({ after });
const environmentOf = ({ url, token }: TestService) => ({ SHELFLIST_URL: url, SHELFLIST_TOKEN: token });

describe('a command whose answer the service is still computing', { concurrency: true }, () => {
  /** Runs it at a service that ends the computation after its first 503. */
  async function runPatiently(t: TestContext, command: readonly string[], isTerminal: boolean) {
    const { store, open } = await gatedStore(t, books);
    const refused: string[] = [];
    const service = await startService(t, {
      store,
      onResponse({ status, path }) {
        if (status !== 503) return;
        refused.push(path);
        open();
      },
    });
    const outcome = await shelflist(command, { cwd, env: environmentOf(service), isTerminal });
    return { ...outcome, refused };
  }

  const table: [command: readonly string[], stdout: string, what: string][] = [
    [duplicates, found, 'comparing the books'],
    [byNumber, 'Jane Austen\t2\nAusten, Jane\t1\n', 'counting the authors'],
    [variants, '1\tJane Austen\t2\n1\tAusten, Jane\t1\n', 'comparing the authors'],
  ];
  for (const [command, stdout, what] of table)
    test(`waits for it, with one line on a terminal: ${titleOf(command)}`, async (t) => {
      const { stderr, refused, ...outcome } = await runPatiently(t, command, true);
      assert.deepEqual(outcome, { code: 0, stdout });
      assert.ok(refused.length > 0);
      assert.match(stderr, new RegExp(`^(\\r${what}: about [1-9][0-9]* s left\\u001b\\[K)+\\r\\u001b\\[K$`));
    });

  test('waits for it silently in a pipe', async (t) => {
    const { refused, ...outcome } = await runPatiently(t, duplicates, false);
    assert.deepEqual(outcome, { code: 0, stdout: found, stderr: '' });
    assert.ok(refused.length > 0);
  });

  test('ends at Ctrl-C', { skip: noTerminal }, async (t) => {
    const { store } = await gatedStore(t, books);
    const service = await startService(t, { store });
    const { code, screen } = await terminal(
      'shelflist duplicates',
      { cwd, env: environmentOf(service) },
      [['s left', '\x03']], // prettier-ignore
    );
    assert.equal(code, 130);
    assert.match(screen, /comparing the books: about [1-9][0-9]* s left/);
    assert.match(screen, /shelflist: stopped; the service goes on comparing the books\n$/);
  });
});

for (const command of [duplicates, byNumber, variants])
  test(`an unavailable store is not waited for: ${titleOf(command)}`, async (t) => {
    let asked = 0;
    const service = await startService(t, {
      store: stubStore(new ShelflistError('unavailable')),
      onRequest: () => asked++,
    });
    asked = 0;
    const outcome = await shelflist(command, { cwd, env: environmentOf(service), isTerminal: true });
    const stderr = 'shelflist: Service unavailable (try again in 5 s)\n';
    assert.deepEqual({ ...outcome, asked }, { code: 5, stdout: '', stderr, asked: 1 });
  });
