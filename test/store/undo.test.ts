import { startSelectedMongod } from '../support/mongod.ts';
import { testUndoHistories } from './undo-histories.ts';

testUndoHistories({ numRuns: 4, mongod: await startSelectedMongod() });
