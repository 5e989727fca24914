import { testUndoHistories } from './undo-histories.ts';

await testUndoHistories({ numRuns: 4 });
