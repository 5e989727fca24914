import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSession, startStranger } from '../../support/session.ts';

const undo = /^to take this back, if it did happen: shelflist undo [\w-]+$/m;
const refusal = '{"status":500,"message":"x","data":null}';

test('an import that gets no answer says how to take it back, also if it has only left out rows', async (t) => {
  const { folder, run } = await startSession(t);
  await writeFile(join(folder, 'books.csv'), 'title,author\n,Nobody\nEmma,Jane Austen\n');
  const { url } = await startStranger(t, (_, response) => response.writeHead(500).end(refusal));
  const env = { SHELFLIST_URL: url, SHELFLIST_TOKEN: 'x' };
  const { stderr } = await run(['import', 'books.csv'], { env });
  assert.match(stderr, /\nadded 0 books .+, left out 1\n/);
  assert.match(stderr, undo);
  await writeFile(join(folder, 'emma.csv'), 'title\nEmma\n');
  const { stdout } = await run(['import', 'emma.csv', '--json'], { env });
  assert.match(stdout, /"added":0,.+"batch":"[0-9a-f]{20}"/);
  const preview = await run(['import', 'books.csv', '--on-duplicate', 'skip', '--dry-run'], { env });
  assert.doesNotMatch(preview.stderr, undo);
});

test('a delete that gets no answer says how to take it back, if it did happen', async (t) => {
  const { run } = await startSession(t);
  const data = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
  const { url } = await startStranger(t, ({ method }, response) => {
    if (method === 'GET') response.end(JSON.stringify({ status: 200, message: 'x', data }));
    else response.writeHead(500).end(refusal);
  });
  const { stderr } = await run(['delete', '1'], { env: { SHELFLIST_URL: url, SHELFLIST_TOKEN: 'x' } });
  assert.match(stderr, undo);
});

test('an undo that gets no answer says where its id is', async (t) => {
  const { run } = await startSession(t);
  const summary = { batch: 'my-import', at: '2026-11-25T00:00:00.000Z' };
  const { url } = await startStranger(t, ({ method }, response) => {
    const data = { ...summary, created: 2, updated: 0, deleted: 0, reverted: 0, undoable: true };
    if (method === 'GET') response.end(JSON.stringify({ status: 200, message: 'x', data }));
    else response.writeHead(500).end(refusal);
  });
  const env = { SHELFLIST_URL: url, SHELFLIST_TOKEN: 'x' };
  const { code, stderr } = await run(['undo', 'my-import', '--yes'], { env });
  assert.match(
    stderr,
    /\nto see what was done: shelflist undo --list\nshelflist: .+; repeat it to undo the rest\n$/,
  );
  assert.equal(code, 5);
});
