import { randomUUID } from 'node:crypto';
import { openStore } from '../../../src/index.ts';
import type { BookStore } from '../../../src/store.ts';
import { storeGroups } from '../../../src/store/contract/store.ts';
import { testStore, type StoreGroup } from '../../../src/store-suite/store-suite.ts';
import { sized } from '../../support/size.ts';
import { smokeRunner } from '../../support/smoke.ts';
import { memoryPlace } from './place.ts';

const optional = ['bulk', 'history', 'events'] as const satisfies readonly StoreGroup[];

/** A memory store with its core and some groups of methods. */
async function openWith(name: string, groups: readonly StoreGroup[]): Promise<BookStore> {
  const store = await openStore(`memory:${name}`);
  const names = (['core', ...groups] as const).flatMap(
    (group): readonly (keyof BookStore)[] => storeGroups[group],
  );
  const methods = names.map((method) => [method, store[method as keyof typeof store]]);
  return { description: store.description, ...Object.fromEntries(methods) } as BookStore;
}

// The one with all of them is tested in store.test.ts. In the short form, those with some have the first test of each part.
for (let subset = 0; subset < 7; subset++) {
  const groups = optional.filter((_, i) => (subset & (2 ** i)) !== 0);
  testStore(
    `memory:, with ${['its core', ...groups].join(', ')}`,
    () => {
      const name = randomUUID();
      return Promise.resolve(memoryPlace(name, () => openWith(name, groups)));
    },
    { groups, runner: subset === 0 ? undefined : sized({ short: smokeRunner(), long: undefined }) },
  );
}
