import { testUndoHistories } from '../support/undo-tests.ts';

await testUndoHistories({ numRuns: 4 });
