import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { program, shell } from '../support/cli.ts';
import { temporaryFolder } from '../support/temp.ts';

const run = promisify(execFile);
const built = dirname(program);
const settings = {
  SECRET_TOKEN: 'a secret of the tests, which has more than 32 bytes',
  AUTH_USERNAME: 'librarian',
  AUTH_PASSWORD: 'a password of the tests',
};

test('the program does the same with and without the compile cache of Node', async (t) => {
  const folder = await temporaryFolder(t);
  const cached = { ...process.env, TMPDIR: folder, TEMP: folder };
  const helpOf = async (env: NodeJS.ProcessEnv) =>
    (await run(process.execPath, [program, '--help'], { env })).stdout;
  const help = await helpOf({ ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' });
  assert.match(help, /run the service, and manage its books/);
  for (const time of ['first', 'second']) assert.equal(await helpOf(cached), help, time);
});

test('an old Node gets the version that is needed, without a stack trace', async (t) => {
  const folder = await temporaryFolder(t);
  const old = join(folder, 'old.cjs');
  await writeFile(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.4' });");
  const failed = run(process.execPath, ['--require', old, program, '--version']);
  await assert.rejects(failed, {
    code: 1,
    stdout: '',
    stderr: /^shelflist needs Node 20\.19 or later; this is v.+\n$/,
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

test('in a folder that was deleted, a command says so', async (t) => {
  const cwd = await temporaryFolder(t);
  const { code, stdout, stderr } = await shell('mkdir gone && cd gone && rmdir ../gone && shelflist list', {
    cwd,
  });
  assert.deepEqual(
    [code, stdout, stderr],
    [1, '', 'shelflist: cannot read the working directory: it was deleted; change to another one\n'],
  );
});
