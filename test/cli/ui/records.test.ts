import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { writeRecords, type OutputOptions } from '../../../src/cli/ui/records.ts';

/** Sets the title of a terminal, clears its screen (C1), and reverses the direction of writing. */
const title = 'a\u001b]0;owned\u0007b\u009b2Jc\u202ed\re';

async function write(format: NonNullable<OutputOptions['format']>, isTTY: boolean): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const io = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, directory: '' };
  await writeRecords(io, [{ name: 'title' }], [{ title }], { format });
  stdout.end();
  return text(stdout);
}

describe('control characters and changes of the direction of writing', () => {
  for (const format of ['csv', 'json', 'ndjson'] as const) {
    test(`are escaped in ${format} on a terminal`, async () => {
      const written = await write(format, true);
      // eslint-disable-next-line no-control-regex -- none may be left.
      assert.doesNotMatch(written, /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]|\r(?!\n)/);
      assert.match(written, /a\\u001b\]0;owned\\u0007b\\u009b2Jc\\u202ed(\\r|\\u000d)e/);
      if (format !== 'csv') assert.deepEqual([JSON.parse(written)].flat(), [{ title }]);
    });

    test(`stay as they are in ${format} that goes elsewhere`, async () => {
      const written = await write(format, false);
      if (format === 'csv') assert.ok(written.includes(title));
      else assert.deepEqual([JSON.parse(written)].flat(), [{ title }]);
    });
  }
});
