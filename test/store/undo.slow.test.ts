import { testUndoHistories } from './undo-histories.ts';
import { sized } from '../support/size.ts';

await testUndoHistories({ numRuns: sized({ short: 12, long: 3000 }) });
