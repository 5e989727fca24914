import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InFlight } from '../../src/lib/in-flight.ts';

test('InFlight waits for the work in flight, and not for work that begins later', async () => {
  const inFlight = new InFlight();
  const [first, second] = [inFlight.begin(), inFlight.begin()];
  let isSettled = false;
  const settled = inFlight.settled().then(() => {
    isSettled = true;
  });
  inFlight.begin();
  inFlight.end(first);
  await Promise.resolve();
  assert.equal(isSettled, false);
  inFlight.end(second);
  await settled;
});

test('InFlight resolves at once without work in flight', async () => {
  const inFlight = new InFlight();
  inFlight.end(inFlight.begin());
  await inFlight.settled();
});
