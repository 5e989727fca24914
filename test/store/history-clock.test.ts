import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import {
  dayMs,
  describeClock,
  HistoryClock,
  hourMs,
  keptSince,
} from '../../src/store/contract/history-clock.ts';
import { fakeTime } from '../support/time.ts';

const minuteMs = 60_000;

/** A clock of a store that was created now, and what it has moved on since. */
function begin(t: TestContext, stored = Date.now()) {
  const time = fakeTime(t);
  const clock = new HistoryClock(stored);
  const moved = (nextLoss = 0) => Math.round((clock.read(0, nextLoss) - stored) / minuteMs);
  return { ...time, clock, moved, stored };
}

/** Lets hours pass in which the clock is read every minute. */
function live({ pass, moved }: ReturnType<typeof begin>, hours: number, nextLoss = 0): void {
  for (let i = 0; i < hours * 60; i++) {
    pass(minuteMs);
    moved(nextLoss);
  }
}

describe('the clock of the history', () => {
  test('moves on with the time, however often it is read', (t) => {
    const begun = begin(t);
    live(begun, 3);
    assert.equal(begun.moved(), 180);
    begun.pass(dayMs);
    assert.equal(begun.moved(), 180 + 24 * 60);
  });

  test('does not follow the clock of the system when that jumps ahead or back', (t) => {
    const begun = begin(t);
    for (const days of [200, -200, 200, 0]) {
      begun.jump(days * dayMs);
      assert.equal(begun.moved(), 0);
      assert.equal(begun.moved(Number.MAX_SAFE_INTEGER), 0);
    }
    begun.jump(200 * dayMs);
    live(begun, 0.5, Number.MAX_SAFE_INTEGER);
    assert.equal(begun.moved(), 30);
  });

  test('stands still while the clock of the system is behind', (t) => {
    const begun = begin(t);
    begun.jump(-200 * dayMs);
    live(begun, 2, Number.MAX_SAFE_INTEGER);
    assert.equal(begun.moved(), 0);
  });

  test('stamps changes with the time of the system, and never with one before its own', (t) => {
    const { clock, jump, stored } = begin(t);
    const stampedAfter = (days: number) => {
      jump(days * dayMs);
      return Math.round((clock.stamp().getTime() - stored) / dayMs);
    };
    assert.deepEqual([0, 200, 0, -200, 0].map(stampedAfter), [0, 200, 0, 0, 0]);
  });

  test('takes over a later time from the store, and ignores an earlier one', (t) => {
    const { clock, stored } = begin(t);
    assert.equal(clock.read(stored + hourMs), stored + hourMs);
    assert.ok(clock.read(stored - hourMs) >= stored + hourMs);
  });

  test('is moved on by several processes together no faster than by one', (t) => {
    const { pass, stored } = begin(t);
    const clocks = Array.from({ length: 8 }, () => new HistoryClock());
    let [time, passed] = [stored, 0];
    for (let i = 0; i < 5000; i++) {
      pass(1000 * (i % 7));
      passed += 1000 * (i % 7);
      time = clocks[(i * i) % 8]?.read(time) ?? 0;
    }
    assert.ok(time - stored <= passed + minuteMs, `${time - stored} of ${passed}`);
    assert.ok(time - stored >= passed * 0.99, `${time - stored} of ${passed}`);
  });

  describe('after days in which no process ran', () => {
    const offDays = 30;
    const behind = (t: TestContext) => begin(t, Date.now() - offDays * dayMs);

    test('skips the time in which nothing is forgotten, once the system has kept its time for an hour', (t) => {
      const begun = behind(t);
      const nextLoss = begun.stored + 10 * dayMs;
      live(begun, 0.9, nextLoss);
      assert.equal(begun.moved(nextLoss), 54);
      live(begun, 0.1, nextLoss);
      assert.equal(begun.moved(nextLoss), 10 * 24 * 60 - 60);
    });

    test('waits for an hour again when the clock of the system jumps', (t) => {
      const begun = behind(t);
      const nextLoss = begun.stored + 10 * dayMs;
      live(begun, 0.9, nextLoss);
      begun.jump(dayMs);
      live(begun, 0.9, nextLoss);
      assert.equal(begun.moved(nextLoss), 108);
    });

    test('forgets no more in an hour than the changes of an hour', (t) => {
      const begun = behind(t);
      // One change in each hour; each is forgotten after 10 days.
      let next = 0;
      const nextLoss = () => begun.stored + next * hourMs + 10 * dayMs;
      live(begun, 1);
      for (let hour = 0; hour < 24; hour++) {
        const before = next;
        for (let minute = 0; minute < 60; minute++) {
          begun.pass(minuteMs);
          while (begun.clock.read(0, nextLoss()) > nextLoss()) next++;
        }
        assert.ok(next - before <= 1, `${next - before} in an hour`);
      }
      assert.ok(next >= 20);
    });

    test('catches up with the system when nothing is kept that is older', (t) => {
      const begun = behind(t);
      live(begun, 1, Number.MAX_SAFE_INTEGER);
      assert.equal(begun.moved(Number.MAX_SAFE_INTEGER), offDays * 24 * 60 + 60);
    });
  });
});

test('a latest change that is more than an hour ahead tells of a wrong clock', (t) => {
  const { jump } = fakeTime(t);
  jump(Date.UTC(2026, 0, 1, 12) - Date.now());
  const now = Date.now();
  for (const latest of [-Infinity, 0, now, now + hourMs - 1000])
    assert.equal(describeClock(latest), undefined);
  assert.match(
    describeClock(Date.UTC(2026, 0, 1, 14)) ?? '',
    /^its latest change has the time 2026-01-01T14:00Z, and it is 2026-01-01T12:00Z now: the clock of this machine is wrong/,
  );
});

test('earlier states are shown for the days of the history, and never without any', () => {
  assert.equal(keptSince(10 * dayMs, 3), 7 * dayMs);
  assert.ok(keptSince(10 * dayMs, 0) > Date.UTC(9999, 0, 1));
});
