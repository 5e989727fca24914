import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test, type TestContext } from 'node:test';
import { openDestination } from '../../../../src/cli/ui/output-file.ts';
import type { Io } from '../../../../src/cli/io.ts';
import { temporaryFolder } from '../../../support/temp.ts';

async function start(t: TestContext) {
  const directory = await temporaryFolder(t);
  const stdout = new PassThrough();
  const io: Io = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, directory };
  const files = async () => (await readdir(directory)).sort();
  return { io, stdout, directory, files };
}

describe('a file', () => {
  test('gets its name when it is complete', async (t) => {
    const { io, directory, files } = await start(t);
    const destination = await openDestination(io, 'x.csv', false);
    assert.equal(await destination.write('é\n'), true);
    assert.equal(await destination.write('b'), true);
    const [draft = '', ...others] = await files();
    assert.match(draft, /^x\.csv\.\w+\.tmp$/);
    assert.deepEqual(others, []);
    await destination.keep();
    assert.deepEqual(await files(), ['x.csv']);
    assert.equal(await readFile(join(directory, 'x.csv'), 'utf8'), 'é\nb');
  });

  test('is removed if it stays incomplete', async (t) => {
    const { io, files } = await start(t);
    const destination = await openDestination(io, 'x.csv', false);
    await destination.write('a');
    await destination.drop();
    assert.deepEqual(await files(), []);
  });

  test('that exists is replaced only on request, and only by a complete file', async (t) => {
    const { io, directory, files } = await start(t);
    const path = join(directory, 'x.csv');
    await writeFile(path, 'old');
    const message = 'x.csv exists already; --force replaces it';
    await assert.rejects(openDestination(io, 'x.csv', false), { code: 'failed', message });
    const dropped = await openDestination(io, 'x.csv', true);
    await dropped.write('new');
    await dropped.drop();
    assert.equal(await readFile(path, 'utf8'), 'old');
    const kept = await openDestination(io, 'x.csv', true);
    await kept.write('new');
    await kept.keep();
    assert.equal(await readFile(path, 'utf8'), 'new');
    assert.deepEqual(await files(), ['x.csv']);
  });

  test('in a missing folder is an error', async (t) => {
    const { io } = await start(t);
    const message = 'cannot write no/x.csv: the folder no does not exist; create it: mkdir -p no';
    await assert.rejects(openDestination(io, 'no/x.csv', false), { code: 'failed', message });
  });

  test('cannot replace a folder, and leaves no draft beside it', async (t) => {
    const { io, directory, files } = await start(t);
    await mkdir(join(directory, 'x.csv'));
    await assert.rejects(openDestination(io, 'x.csv', true), {
      code: 'failed',
      message: 'x.csv is not a file; - is standard output',
    });
    assert.deepEqual(await files(), ['x.csv']);
  });
});

describe('standard output', () => {
  test('is written to at once; keep and drop do nothing', async (t) => {
    const { io, stdout, files } = await start(t);
    for (const end of ['keep', 'drop'] as const) {
      const destination = await openDestination(io, '-', false);
      assert.equal(await destination.write('é\n'), true);
      assert.equal(String(stdout.read()), 'é\n');
      await destination[end]();
    }
    assert.deepEqual(await files(), []);
  });

  test('returns false if the reader has gone', async (t) => {
    const { io, stdout } = await start(t);
    stdout.on('error', () => undefined);
    stdout.destroy();
    const destination = await openDestination(io, '-', false);
    assert.equal(await destination.write('a'), false);
  });
});
