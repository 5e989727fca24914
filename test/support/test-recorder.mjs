import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives each process of the runner a folder for its records and those of the processes it starts, and notes there which
 * test runs when: `output.ts` names the test in which a fault was recorded, and `watch-tests.ts` one that hangs.
 */
/* global process, performance */
const folder = process.env.ANSWERS_FOLDER ?? '';
const isOfProcess = /[\\/]\d+$/.test(folder);

/** The time for records, finer than a quick test is long. */
export const now = () => performance.timeOrigin + performance.now();

if (process.env.NODE_TEST_CONTEXT !== undefined && !isOfProcess) {
  const own = join(folder, String(process.pid));
  mkdirSync(own);
  process.env.ANSWERS_FOLDER = own;
  const { afterEach, beforeEach } = await import('node:test');
  const note =
    (event) =>
    ({ fullName }) => {
      appendFileSync(join(own, 'tests'), `${JSON.stringify([now(), event, fullName, process.argv[1]])}\n`);
    };
  beforeEach(note('start'));
  afterEach(note('end'));
}
