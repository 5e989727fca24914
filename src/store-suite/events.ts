import assert from 'node:assert/strict';
import { newUndoId } from '../store.ts';
import type { CompleteStore, ChangeEvent } from '../store.ts';
import { assertSame, emma } from './helpers.ts';
import type { SuiteContext } from './store-suite.ts';

/** Reads on from a position until there are no further events. Returns these and the position after them. */
export async function readEvents(
  store: CompleteStore,
  since: string,
): Promise<{ events: ChangeEvent[]; position: string }> {
  const events: ChangeEvent[] = [];
  for (let position = since; ;) {
    const page = await store.events({ since: position });
    assert.ok(page.events !== undefined, `position ${position} is known`);
    events.push(...page.events);
    ({ position } = page);
    assert.match(position, /^[A-Za-z0-9._-]{1,1000}$/);
    if (page.isCurrent) return { events, position };
    assert.ok(page.events.length > 0 || position !== since, 'every answer leads further');
  }
}

const summary = (events: readonly ChangeEvent[]) => events.map(({ id, change }) => `${id} ${change}`);

export function testEvents({ runner, open, has, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('events', () => {
    let store: CompleteStore;
    let start: string;
    beforeEach(async () => {
      store = current();
      await store.create(emma);
      ({ position: start } = await store.events());
    });

    test('have the id and the kind of each change, in order, through every open store', async () => {
      const other = await open();
      const writes: [write: () => Promise<unknown>, expected: string[]][] = [
        [() => store.create(emma), ['2 created']],
        [() => other.create(emma), ['3 created']],
        [() => other.update(1, { year: 1 }), ['1 updated']],
        [() => store.update(1, { year: 2 }, { expected: { id: 1, ...emma, year: 1 } }), ['1 updated']],
        [() => store.delete(2), ['2 deleted']],
        [() => other.delete(3, { expected: { id: 3, ...emma } }), ['3 deleted']],
      ];
      const all: string[] = [];
      let position = start;
      for (const [write, expected] of writes) {
        await write();
        all.push(...expected);
        for (const reader of [store, other]) {
          assertSame(summary((await readEvents(reader, position)).events), expected);
          assertSame(summary((await readEvents(reader, start)).events), all);
        }
        ({ position } = await readEvents(store, position));
      }
      assertSame(await store.events({ since: position }).then(({ events }) => events), []);
    });

    test('name the user whom the writer has told, also where writes are together', async () => {
      const [ann, bob] = [{ user: 'ann' }, { user: 'Bob Ünal 📚', batch: 'batch-of-bob' }];
      await Promise.all([store.create(emma, ann), store.create(emma), store.create(emma, bob)]);
      const created = (await readEvents(store, start)).events;
      assertSame(created.map(({ user }) => user ?? '').sort(), ['', 'Bob Ünal 📚', 'ann']);
      const { position } = await store.events();
      await store.update(1, { year: 1 }, ann);
      await store.update(1, { year: 2 }, ann);
      await store.update(1, { year: 3 });
      await store.createMany([emma, emma], bob);
      await store.delete(1, ann);
      const events = (await readEvents(store, position)).events;
      assertSame(
        events.map(({ id, user }) => [id > 4 ? 'new' : id, user]),
        [
          [1, 'ann'],
          [1, 'ann'],
          [1, undefined],
          ['new', 'Bob Ünal 📚'],
          ['new', 'Bob Ünal 📚'],
          [1, 'ann'],
        ],
      );
      if (!has('history')) return;
      const { position: later } = await store.events();
      await store.revert(1, { user: 'eve' });
      await store.undo('batch-of-bob', { as: newUndoId('batch-of-bob'), limit: 10, user: 'eve' });
      const last = (await readEvents(store, later)).events;
      assertSame([...new Set(last.map(({ user }) => user))], ['eve']);
      assert.equal(last.length, 4);
    });

    test('have no user whose name a log cannot hold: the write is refused', async () => {
      for (const user of ['', 'a\nb', '\ud800', 'x'.repeat(201)])
        await assert.rejects(store.create(emma, { user }), { code: 'invalid_input' }, user);
    });

    test('without a position begin now, and include every later change', async () => {
      const begun = await store.events();
      assertSame([begun.events, begun.isCurrent], [[], true]);
      await store.create(emma);
      const { events } = await readEvents(await open(), begun.position);
      assertSame(summary(events), ['2 created']);
    });

    test('do not include writes that change nothing', async () => {
      await store.update(1, {});
      await store.update(1, { ...emma });
      await store.update(999, { year: 1 });
      await store.delete(999);
      await assert.rejects(store.update(1, { year: 1 }, { expected: { id: 1, ...emma, year: 5 } }));
      assertSame((await readEvents(store, start)).events, []);
    });

    test('continue after the position of any event, with exactly the later ones', async () => {
      for (let i = 0; i < 20; i++) await store.update(1, { year: i });
      await Promise.all([store.create(emma), store.create(emma), store.delete(1)]);
      const { events, position } = await readEvents(store, start);
      assert.equal(events.length, 23);
      assert.equal(new Set(events.map((each) => each.position)).size, 23);
      const other = await open();
      for (const [i, each] of events.entries()) {
        const rest = await readEvents(i % 2 === 0 ? store : other, each.position);
        assertSame(rest.events, events.slice(i + 1));
      }
      assertSame((await readEvents(other, position)).events, []);
    });

    test('of thousands of changes are complete and in the order of the writes', async () => {
      await Promise.all(Array.from({ length: 2500 }, () => store.create(emma)));
      for (let i = 0; i < 50; i++) await store.update(7, { year: i });
      const { events } = await readEvents(store, start);
      assertSame(events.filter(({ change }) => change === 'created').length, 2500);
      assertSame(new Set(events.map(({ id }) => id)).size, 2500);
      assertSame(new Set(events.map(({ position }) => position)).size, 2550);
      assertSame(summary(events.slice(-50)), Array<string>(50).fill('7 updated'));
    });

    test('continue after the store is reopened', async () => {
      await store.create(emma);
      const { position } = await readEvents(store, start);
      await store.close();
      const again = await open();
      await again.update(1, { year: 1 });
      assertSame(summary((await readEvents(again, position)).events), ['1 updated']);
      assertSame(summary((await readEvents(again, start)).events), ['2 created', '1 updated']);
    });

    test('after an unknown position are undefined, with a position to continue from', async () => {
      const long = ['x'.repeat(900), '8'.repeat(200)];
      for (const since of ['', '0', 'never', '.', 'a.b', '-1', '82', '\u0000', 'ä', ...long]) {
        const { events, position } = await store.events({ since });
        assert.equal(events, undefined, since);
        const { id } = await store.create(emma);
        assertSame(summary((await readEvents(store, position)).events), [`${id} created`]);
      }
    });

    test('after a known position with a changed character are undefined, or those of some position', async () => {
      await store.create(emma);
      const { position } = await readEvents(store, start);
      for (let i = 0; i < position.length; i++) {
        const changed = `${position.slice(0, i)}${position[i] === 'A' ? 'B' : 'A'}${position.slice(i + 1)}`;
        const { events = [] } = await store.events({ since: changed });
        assert.ok(events.length <= 3);
      }
    });
  });
}
