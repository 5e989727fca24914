import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CooperativeScheduler, toBackground, forEachYielding } from '../../src/lib/scheduler.ts';

/** Keeps the processor busy for some milliseconds. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** A task of many pieces, which records each of them. */
async function runTask(slices: CooperativeScheduler, pieces: number, piece: () => void): Promise<void> {
  for (let i = 0; i < pieces; i++) await slices.run(piece);
}

test('TimeSlices returns the result of the work', async () => {
  const slices = new CooperativeScheduler(4);
  assert.equal(await slices.run(() => 1), 1);
  assert.equal(await slices.run(() => Promise.resolve(2)), 2);
  await assert.rejects(
    slices.run(() => {
      throw new Error('broken');
    }),
    /broken/,
  );
});

test('TimeSlices gives all tasks one share of a turn of the event loop', async () => {
  const slices = new CooperativeScheduler(4);
  let turn = 0;
  let isOver = false;
  const perTurn = new Map<number, number>();
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const piece = () => {
    work(1);
    perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: 50 }, () => runTask(slices, 4, piece)));
  isOver = true;
  assert.ok(Math.max(...perTurn.values()) <= 2 * 5, JSON.stringify([...perTurn]));
  assert.ok(perTurn.size >= 20, `${perTurn.size} turns`);
});

test('TimeSlices gives a smaller share after hurry()', async () => {
  const slices = new CooperativeScheduler(4);
  let ran = 0;
  const tasks = Array.from({ length: 20 }, () =>
    slices.run(() => {
      work(1);
      ran++;
    }),
  );
  const before = ran;
  slices.hurry();
  await new Promise(setImmediate);
  assert.ok(ran - before <= 1, `${ran - before} ran`);
  await Promise.all(tasks);
});

test('TimeSlices runs the pieces of tasks round-robin', async () => {
  const slices = new CooperativeScheduler(1);
  const order: string[] = [];
  const tasks = ['a', 'b', 'c'].map((name) =>
    runTask(slices, 5, () => {
      work(1);
      order.push(name);
    }),
  );
  await Promise.all(tasks);
  for (let i = 3; i < order.length; i++) assert.equal(order[i], order[i - 3], order.join(''));
});

describe('TimeSlices drops work with an aborted signal', () => {
  test('when the signal is aborted while the work waits', async () => {
    const slices = new CooperativeScheduler(1);
    const controller = new AbortController();
    let ran = false;
    await slices.run(() => {
      work(2);
    });
    const dropped = slices.run(() => {
      ran = true;
    }, controller.signal);
    controller.abort(new Error('gone'));
    await assert.rejects(dropped, /gone/);
    assert.equal(ran, false);
  });

  test('when the signal was aborted before', async () => {
    await assert.rejects(
      new CooperativeScheduler(1).run(() => assert.fail(), AbortSignal.abort(new Error('gone'))),
      /gone/,
    );
  });
});

describe('TimeSlices runs other work before tasks in the background', () => {
  const background = () => toBackground(new AbortController().signal);

  test('other work runs at once, however many pieces wait', async () => {
    const slices = new CooperativeScheduler(4);
    let ran = 0;
    const signal = background();
    const piece = () => {
      work(1);
      ran++;
    };
    const tasks = Array.from({ length: 10 }, () => slices.run(piece, signal));
    const before = ran;
    await slices.run(() => undefined);
    assert.equal(ran, before);
    await Promise.all(tasks);
    assert.equal(ran, 10);
  });

  test('all background tasks together run no more than one piece per turn', async () => {
    const slices = new CooperativeScheduler(4);
    const signal = background();
    let [inTurn, most, isOver] = [0, 0, false];
    const piece = () => {
      work(1);
      most = Math.max(most, ++inTurn);
    };
    const count = () => {
      inTurn = 0;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 10 }, () => slices.run(piece, signal)));
    isOver = true;
    assert.ok(most <= 2, String(most));
  });
});

test('visitInSlices ends soon after its signal is aborted', async () => {
  const client = new AbortController();
  const visiting = forEachYielding(
    endless(),
    () => {
      client.abort(new Error('gone'));
    },
    client.signal,
  );
  await assert.rejects(visiting, /gone/);
});

function* endless(): Generator<undefined, never> {
  for (;;) yield undefined;
}
