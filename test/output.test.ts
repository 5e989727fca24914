import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { judgeAnswers } from './support/answers.ts';
import { cleanEnvironment } from './support/cli.ts';
import { searchOutput } from './support/output.ts';
import { temporaryFolder } from './support/temp.ts';

const secret = 'correct "horse" battery/staple';
/** Put together here: this file's own words are searched as well. */
const token = ['eyJhbGciOiJIUzI1NiJ9', 'eyJleHAiOjE3MDAwMDAwMDB9', 'c2lnbmF0dXJl'].join('.');

describe('a secret in the output is reported without being repeated', () => {
  const table: { what: string; by: string; args: string[]; output: string; found: string | undefined }[] = [
    { what: 'nothing', by: 'test', args: ['node'], output: 'hello', found: undefined },
    {
      what: 'as it is',
      by: 'test',
      args: ['node', 'x'],
      output: `a\n${secret}b`,
      found: 'AUTH_PASSWORD in the output of: node x, before the first test\n',
    },
    {
      what: 'in JSON',
      by: 'test',
      args: ['node'],
      output: JSON.stringify({ secret }),
      found: 'AUTH_PASSWORD in the output of: node, before the first test\n',
    },
    {
      what: 'in an address',
      by: 'test',
      args: ['node'],
      output: encodeURIComponent(secret),
      found: 'AUTH_PASSWORD in the output of: node, before the first test\n',
    },
    {
      what: 'a token',
      by: 'test',
      args: ['node'],
      output: `a ${token} b`,
      found: 'a token in the output of: node, before the first test\n',
    },
    {
      what: 'in the arguments',
      by: 'program',
      args: ['node', token],
      output: '',
      found: 'a token in the output of: node …, before the first test\n',
    },
    {
      what: 'in those of a shell of ours',
      by: 'program',
      args: ['sh', '-c', token],
      output: '',
      found: 'a token in the output of: sh -c …, before the first test\n',
    },
    {
      what: 'not in the words of a test',
      by: 'test',
      args: ['bash', '-c', `shelflist login ${token}`],
      output: 'hello',
      found: undefined,
    },
    {
      what: 'but in what they print',
      by: 'test',
      args: ['bash', '-c', 'x'],
      output: token,
      found: 'a token in the output of: bash -c x, before the first test\n',
    },
    { what: 'not a short one', by: 'test', args: ['node'], output: 'short', found: undefined },
  ];
  for (const { what, by, args, output, found } of table) {
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

test('a secret and an undocumented response are reported with the test that caused them', async (context) => {
  const cwd = await temporaryFolder(context);
  const ANSWERS_FOLDER = join(cwd, 'answers');
  await mkdir(ANSWERS_FOLDER);
  const recorder = pathToFileURL(join(import.meta.dirname, 'support/recorder.mjs')).href;
  const script = `
    import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { createServer } from 'node:http';
    import { after, before, describe, test } from 'node:test';
    describe('suite', () => {
      const cat = spawn('cat');
      const server = createServer((request, response) =>
        response.writeHead(299, { 'X-Request-Id': 'a', 'X-Content-Type-Options': 'nosniff' }).end());
      before(() => once(server.listen(0), 'listening'));
      after(() => { cat.stdin.end(); server.close(); });
      for (const name of ['good', 'leaks', 'fine', 'strays', 'well'])
        test(name, async () => {
          cat.stdin.write(name === 'leaks' ? ${JSON.stringify(token)} : 'hello');
          await once(cat.stdout, 'data');
          if (name === 'strays') await fetch('http://127.0.0.1:' + server.address().port + '/book/7');
        });
    });`;
  await writeFile(join(cwd, 'file.mjs'), script);
  const env = cleanEnvironment(cwd, { ANSWERS_FOLDER, NODE_OPTIONS: `--import=${recorder}` });
  await promisify(execFile)(process.execPath, ['--test', 'file.mjs'], { cwd, env });
  assert.match(
    searchOutput(ANSWERS_FOLDER).text,
    /^a token in the output of: cat, in the test suite > leaks$/m,
  );
  const { text } = await judgeAnswers(ANSWERS_FOLDER);
  assert.match(text, /^GET \/book\/7, in the test suite > strays: no such status$/m);
});
