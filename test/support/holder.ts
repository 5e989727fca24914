import process from 'node:process';
import { openFile } from './sqlite-file.ts';

/** A separate process that begins a write in a folder, reports it, and never ends the write: `holder.ts FOLDER`. */
const db = openFile(process.argv[2] ?? '');
db.exec('BEGIN IMMEDIATE');
process.send?.('held');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
