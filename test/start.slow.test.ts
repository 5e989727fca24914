import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { parse } from 'dotenv';
import { scripts } from '../package.json';
import { cleanEnvironment, shell } from './support/cli.ts';
import { blocksOf } from './support/documents.ts';
import { offline, root, run, startForeground } from './support/packed.ts';
import { startStranger } from './support/session.ts';
import { sized } from './support/size.ts';
import { temporaryFolder } from './support/temp.ts';

/** Status and signal of npm. The service ends with status 0, but the shell between them may end by the signal of Ctrl-C. */
const stopped = ['0,', ',SIGINT'];

test('npm start builds, writes .env, serves, stops on Ctrl-C, and keeps the books', async (t) => {
  const [block] = blocksOf('README.md').filter(({ language }) => language === 'sh');
  assert.equal(block?.code, 'npm ci && npm start\n');
  const clone = await temporaryFolder(t);
  const home = await temporaryFolder(t);
  const list = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    env: process.env,
  });
  assert.equal(list.code, 0, list.stderr);
  for (const name of list.stdout.split('\0').filter((each) => each !== '' && !each.endsWith('node_modules')))
    if (existsSync(join(root, name))) await cp(join(root, name), join(clone, name));
  // `npm ci` is what .ci/run begins with; here is its result: the packages, and in the short form the build, too.
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  assert.equal(scripts.prestart, scripts.prepare);
  if (sized({ short: true, long: false }))
    await cp(join(root, 'dist'), join(clone, 'dist'), { recursive: true });
  const start = () =>
    startForeground(t, 'npm', ['start'], {
      cwd: clone,
      env: cleanEnvironment(home, { PORT: '0', npm_config_update_notifier: 'false' }),
    });
  const npx = async (command: string) => {
    const options = { cwd: clone, env: { ...offline, HOME: home, XDG_CACHE_HOME: join(home, '.cache') } };
    const { code, stdout, stderr } = await shell(command, options);
    assert.equal(code, 0, `${command}: ${stderr}`);
    return stdout;
  };
  const file = join(clone, '.env');

  const { port } = await startStranger(t);
  const options = ['-d', 'file:./my books', '--port', String(port), '-w2', '--json'];
  const refused = await run('npm', ['start', '--', ...options], {
    cwd: clone,
    env: cleanEnvironment(home, { npm_config_update_notifier: 'false' }),
  });
  assert.match(
    refused.stderr,
    /port \d+ of 127\.0\.0\.1 is in use \(flag --port\); .+: npm start -- --database-url 'file:\.\/my books' --port \d+ --workers 2 --json"/,
  );
  assert.equal(refused.code, 1);
  assert.ok(!existsSync(file), 'it is said before anything is written');

  const first = await start();
  assert.ok(first.stderr().includes(`wrote ${file}`), first.stderr());
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const env = await readFile(file, 'utf8');
  const { HOST, PORT, DATABASE_URL } = parse(env);
  assert.deepEqual([HOST, PORT, DATABASE_URL], ['127.0.0.1', '8080', 'file:./data']);
  const [, login = ''] = / {2}(npx --no-install shelflist login --url \S+) {2}/.exec(first.stderr()) ?? [];
  assert.ok(login.endsWith(first.url), `it does not say what to type next: ${first.stderr()}`);
  // The port is not the one in .env, which has to name it before its password goes there.
  assert.ok(
    first
      .stderr()
      .includes(`add this line to .env, to log in with the password there:  SHELFLIST_URL=${first.url}\n`),
    first.stderr(),
  );
  const { AUTH_USERNAME = '', AUTH_PASSWORD = '' } = parse(env);
  const asTyped = `-u ${AUTH_USERNAME} --password-stdin <<< ${AUTH_PASSWORD}`;
  await npx(`${login} ${asTyped}`);
  const emma = '1\tEmma\tJane Austen\t1815\n';
  const added = await npx(
    `npx shelflist add --url ${first.url} --title Emma --author 'Jane Austen' --year 1815`,
  );
  assert.equal(added, emma);
  assert.equal(await npx(`npx shelflist list --url ${first.url}`), emma);
  assert.ok(stopped.includes(String(await first.stop('SIGINT'))), first.stderr());
  assert.ok(first.stderr().endsWith('stopped\n'), first.stderr());
  assert.ok(existsSync(join(clone, 'data')));

  const second = await start();
  assert.ok(!second.stderr().includes('wrote'), second.stderr());
  assert.equal(await readFile(file, 'utf8'), env);
  await npx(`npx shelflist login --url ${second.url} ${asTyped}`);
  assert.equal(await npx(`npx shelflist list --url ${second.url}`), emma);
  // npm passes SIGTERM to a shell, which does not pass it on.
  await second.stopAlone('SIGTERM');
  assert.ok(second.stderr().endsWith('stopped\n'), second.stderr());
});
