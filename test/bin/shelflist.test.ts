import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { program } from '../support/cli.ts';
import { temporaryFolder } from '../support/temp.ts';

const run = promisify(execFile);
const built = dirname(program);

/** A copy of the program; its code that V8 made in advance is replaced, or missing. */
async function copyProgram(t: TestContext, code?: Uint8Array): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const name of ['shelflist.cjs', 'program.cjs']) await copyFile(join(built, name), join(folder, name));
  if (code !== undefined) await writeFile(join(folder, 'program.cjs.v8'), code);
  return join(folder, 'shelflist.cjs');
}

const helpOf = async (file: string) => (await run(process.execPath, [file, '--help'])).stdout;

describe('the program compiled in advance', () => {
  test('is accepted by the version of Node that built it', async () => {
    const file = join(built, 'program.cjs');
    const [text, cachedData] = [await readFile(file, 'utf8'), await readFile(`${file}.v8`)];
    const script = new Script(Module.wrap(text), { filename: file, cachedData });
    assert.equal(script.cachedDataRejected, false);
  });

  test('is not needed: without it, the program does the same', async (t) => {
    assert.equal(await helpOf(await copyProgram(t)), await helpOf(program));
  });

  test('is ignored if it is damaged or that of another version of Node', async (t) => {
    const code = await readFile(join(built, 'program.cjs.v8'));
    const other = Buffer.from(code);
    other.writeUInt32LE(1, 4); // The version of V8.
    for (const bad of [Buffer.alloc(0), code.subarray(0, code.length / 2), other])
      assert.equal(await helpOf(await copyProgram(t, bad)), await helpOf(program));
  });

  test('is ignored under options of Node that change how it compiles', async () => {
    const { stdout } = await run(process.execPath, [
      '--no-lazy',
      '--max-old-space-size=100',
      program,
      '--help',
    ]);
    assert.equal(stdout, await helpOf(program));
  });
});
