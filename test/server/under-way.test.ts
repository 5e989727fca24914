import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnderWay } from '../../src/server/under-way.ts';

test('waits for the answers that are under way, and for none that begin later', async () => {
  const underWay = new UnderWay();
  const [first, second] = [underWay.began(), underWay.began()];
  let isOver = false;
  const over = underWay.none().then(() => {
    isOver = true;
  });
  underWay.began();
  underWay.ended(first);
  await Promise.resolve();
  assert.equal(isOver, false);
  underWay.ended(second);
  await over;
});

test('waits for nothing where there is none', async () => {
  const underWay = new UnderWay();
  underWay.ended(underWay.began());
  await underWay.none();
});
