import process from 'node:process';
import { openEnvironment } from '../../src/store/embedded/environment.ts';

/** A process of its own that begins a write in a folder and never ends it: `holder.ts FOLDER`. It says when it has begun. */
const { root } = await openEnvironment(process.argv[2] ?? '');
root.transactionSync(() => {
  process.send?.('held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
