import { testUndoHistories } from '../support/undo-histories.ts';

await testUndoHistories({ numRuns: 4 });
