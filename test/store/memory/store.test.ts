import { randomUUID } from 'node:crypto';
import { openStore } from '../../../src/index.ts';
import { testStore } from '../../../src/store-suite/store-suite.ts';
import { memoryPlace } from './place.ts';

testStore('memory:', () => {
  const name = randomUUID();
  return Promise.resolve(memoryPlace(name, () => openStore(`memory:${name}`)));
});
