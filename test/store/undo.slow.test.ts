import { startMongod } from '../support/mongod.ts';
import { sized } from '../support/size.ts';
import { testUndoHistories } from './undo-histories.ts';

testUndoHistories({ numRuns: sized({ short: 6, long: 3000 }), mongod: await startMongod() });
