import process from 'node:process';
import { openFile } from './sqlite-file.ts';

/** A process of its own that begins a write in a folder and never ends it: `holder.ts FOLDER`. It says when it has begun. */
const db = openFile(process.argv[2] ?? '');
db.exec('BEGIN IMMEDIATE');
process.send?.('held');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
