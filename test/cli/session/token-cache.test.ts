import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import process from 'node:process';
import { afterEach, beforeEach, test, type TestContext } from 'node:test';
import { keepRenewed, keepToken, readTokenFiles } from '../../../src/cli/session/token-cache.ts';
import { temporaryFolder } from '../../support/temp.ts';

const url = 'http://books.example';
const before = process.env.XDG_CACHE_HOME;
beforeEach(async (context) => {
  process.env.XDG_CACHE_HOME = await temporaryFolder(context as TestContext);
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
});

const renew = (token: string, previous: string) =>
  keepRenewed({ url, username: 'ada', token, expiresAt: 0 }, previous);

test('a renewed token replaces the previous one', async () => {
  const path = await keepToken(url, 'ada', 'first');
  await renew('second', 'first');
  assert.match(await readFile(path, 'utf8'), /"token":"second"/);
});

test('a renewal that ends after a logout stores nothing', async () => {
  await rm(await keepToken(url, 'ada', 'first'));
  await renew('second', 'first');
  assert.deepEqual(await readTokenFiles(), []);
});

test('a renewal that ends after another login leaves the token of that login', async () => {
  const path = await keepToken(url, 'ada', 'of a new login');
  await renew('second', 'first');
  assert.match(await readFile(path, 'utf8'), /"token":"of a new login"/);
});
