import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { program } from '../support/cli.ts';
import { temporaryFolder } from '../support/temp.ts';

const run = promisify(execFile);
const built = dirname(program);
const cacheName = `program-${process.version}-${process.platform}-${process.arch}.v8`;
const headerBytes = 8;
const settings = {
  SECRET_TOKEN: 'a secret of the tests, which has more than 32 bytes',
  AUTH_USERNAME: 'librarian',
  AUTH_PASSWORD: 'a password of the tests',
};

/** Copies the program, with `cache` as its V8 code cache, or without a cache. */
async function copyProgram(t: TestContext, cache?: Uint8Array, name = cacheName): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const each of ['shelflist.cjs', 'program.cjs', 'warm-up.cjs'])
    await copyFile(join(built, each), join(folder, each));
  if (cache !== undefined) await writeFile(join(folder, name), cache);
  return join(folder, 'shelflist.cjs');
}

const helpOf = async (file: string) => (await run(process.execPath, [file, '--help'])).stdout;

describe('the V8 code cache', () => {
  test('is accepted by the release of Node that built it', async () => {
    const file = join(built, 'program.cjs');
    const text = await readFile(file, 'utf8');
    const cachedData = (await readFile(join(built, cacheName))).subarray(headerBytes);
    const script = new Script(Module.wrap(text), { filename: file, cachedData });
    assert.equal(script.cachedDataRejected, false);
  });

  test('is optional: the program does the same without it', async (t) => {
    assert.equal(await helpOf(await copyProgram(t)), await helpOf(program));
  });

  test('is ignored if it is damaged anywhere, or cut off', async (t) => {
    const cache = await readFile(join(built, cacheName));
    const damaged = Buffer.from(cache);
    for (let at = headerBytes + 100; at < damaged.length; at += 20_000) damaged[at] = ~(damaged[at] ?? 0);
    for (const bad of [Buffer.alloc(0), cache.subarray(0, cache.length / 2), damaged])
      assert.equal(await helpOf(await copyProgram(t, bad)), await helpOf(program));
  });

  test('is ignored if it is that of another program', async (t) => {
    const file = await copyProgram(t, await readFile(join(built, cacheName)));
    const path = join(dirname(file), 'program.cjs');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace('run the service, and manage its books', 'run the service, and manage its BOOKS'),
    );
    assert.match(await helpOf(file), /manage its BOOKS/);
  });

  test('of another release of Node is not read: V8 would accept it, and crash', async (t) => {
    const file = await copyProgram(t, Buffer.from('not code'), cacheName.replace(process.version, 'v20.0.0'));
    assert.equal(await helpOf(file), await helpOf(program));
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

  test('that cannot be written is reported in one line, and the build goes on', async (t) => {
    const file = await copyProgram(t);
    const { stderr } = await run(process.execPath, [join(dirname(file), 'warm-up.cjs')], {
      env: { ...process.env, TMPDIR: join(dirname(file), 'gone'), TEMP: join(dirname(file), 'gone') },
    });
    assert.match(stderr, /^cannot write the code cache, so the program starts more slowly: ENOENT[^\n]+\n$/);
    assert.ok(!(await readdir(dirname(file))).some((name) => name.endsWith('.v8')));
  });
});

test('the embedded store works where the path of the program has characters that URLs escape', async (t) => {
  const folder = join(await temporaryFolder(t), 'a#b%41 c');
  await cp(dirname(built), join(folder, 'dist'), { recursive: true });
  await symlink(join(dirname(dirname(built)), 'node_modules'), join(folder, 'node_modules'), 'junction');
  const copied = join(folder, 'dist/bin/shelflist.cjs');
  const env = { ...process.env, ...settings, DATABASE_URL: `file:${join(folder, 'books')}` };
  const service = spawn(process.execPath, [copied, 'serve', '--port', '0', '--json'], { env, cwd: folder });
  const closed = once(service, 'close');
  const [line] = await Promise.race([once(service.stdout, 'data'), closed.then(() => ['ended'])]);
  service.kill();
  await closed;
  assert.match(String(line), /^{"url":/);
});
