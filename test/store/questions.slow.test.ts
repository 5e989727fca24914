import { testHistories } from './histories.ts';
import { sized } from '../support/size.ts';

await testHistories({ numRuns: 300, limitMs: sized({ short: 2000, long: 60_000 }) });
