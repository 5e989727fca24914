import { startMongod } from '../../support/mongod.ts';
import { smokeRunner } from '../../support/smoke.ts';
import { testMongodb } from './contract-questions.ts';

// `contract.long.test.ts` runs all of it.
testMongodb('MongoDB, the first test of each group', await startMongod(), smokeRunner());
