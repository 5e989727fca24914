import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shelflist } from '../support/cli.ts';
import { credentials, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

const service = await startService({ after });
const cwd = await temporaryFolder({ after });
await writeFile(join(cwd, 'books.csv'), 'title\nEmma\nEmma\nPersuasion\n');
const env = {
  SHELFLIST_URL: service.url,
  SHELFLIST_USERNAME: credentials.username,
  SHELFLIST_PASSWORD: credentials.password,
};

test('each message about what a command has done fits a line of 60 columns', async () => {
  let batch = '';
  for (const args of [
    ['login'],
    ['import', 'books.csv'],
    ['undo', 'BATCH', '--yes'],
    ['revert', '1'],
    ['history', '2'],
    ['list', 'nothing', 'like', 'this'],
    ['add', '--title', 'Emma'],
    ['update', '1', '--year', '1815'],
    ['change', '--title', 'Emma', '--to-author', 'Austen', '--yes'],
    ['undo', 'BATCH', '--yes'],
    ['export', 'copy.csv'],
    ['delete', '1', '--yes'],
    ['logout'],
  ]) {
    const outcome = await shelflist(
      args.map((arg) => arg.replace('BATCH', batch)),
      { cwd, env },
    );
    assert.equal(outcome.code, 0, `${args.join(' ')}: ${outcome.stderr}`);
    batch = /undo (\S+)/.exec(outcome.stderr)?.[1] ?? batch;
    // The id of the undo of an undo has both.
    const text = outcome.stderr.replace(/undo-\w+-\w+/, 'undo-ID');
    for (const line of text.split('\n')) assert.ok(line.length <= 60, `${args.join(' ')}: ${line}`);
  }
});
