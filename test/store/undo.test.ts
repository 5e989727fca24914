import { testUndoHistories } from './undo-histories.ts';

testUndoHistories({ numRuns: 4, mongod: { skip: 'the slow file tests MongoDB' } });
