import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { searchOutput } from './support/output.ts';
import { temporaryFolder } from './support/temp.ts';

const secret = 'correct "horse" battery/staple';
/** Put together here: this file's own words are searched as well. */
const token = ['eyJhbGciOiJIUzI1NiJ9', 'eyJleHAiOjE3MDAwMDAwMDB9', 'c2lnbmF0dXJl'].join('.');

describe('a secret in the output is reported without being repeated', () => {
  const table: [what: string, by: string, args: string[], output: string, found: string | undefined][] = [
    ['nothing', 'test', ['node'], 'hello', undefined],
    ['as it is', 'test', ['node', 'x'], `a\n${secret}b`, 'AUTH_PASSWORD in the output of: node x\n'],
    ['in JSON', 'test', ['node'], JSON.stringify({ secret }), 'AUTH_PASSWORD in the output of: node\n'],
    ['in an address', 'test', ['node'], encodeURIComponent(secret), 'AUTH_PASSWORD in the output of: node\n'],
    ['a token', 'test', ['node'], `a ${token} b`, 'a token in the output of: node\n'],
    ['in the arguments', 'program', ['node', token], '', 'a token in the output of: node …\n'],
    [
      'in those of a shell of ours',
      'program',
      ['sh', '-c', token],
      '',
      'a token in the output of: sh -c …\n',
    ],
    ['not in the words of a test', 'test', ['bash', '-c', `shelflist login ${token}`], 'hello', undefined],
    ['but in what they print', 'test', ['bash', '-c', 'x'], token, 'a token in the output of: bash -c x\n'],
    ['not a short one', 'test', ['node'], 'short', undefined],
  ];
  for (const [what, by, args, output, found] of table) {
    test(what, async (context) => {
      const folder = await temporaryFolder(context);
      const lines = [
        ['AUTH_PASSWORD', secret],
        ['SECRET_TOKEN', 'short'],
      ].map((line) => `${JSON.stringify(line)}\n`);
      await writeFile(join(folder, '1.secrets'), lines.join(''));
      await writeFile(join(folder, '1.output'), `${JSON.stringify({ by, args })}\n${output}`);
      const { text, found: count } = searchOutput(folder);
      assert.equal(count, found === undefined ? 0 : 1);
      assert.match(text, /^output searched for secrets: \d+ bytes in 1 outputs, [01] found\n$/m);
      if (found !== undefined) assert.ok(text.startsWith(found), 'it is told otherwise');
    });
  }
});

test('a process killed before it has written a line does not fail the check', async (context) => {
  const folder = await temporaryFolder(context);
  await writeFile(join(folder, '1.output'), '');
  assert.equal(searchOutput(folder).found, 0);
});
