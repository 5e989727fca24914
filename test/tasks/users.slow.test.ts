import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createFetchHandler, type HandlerConfig } from '../../src/index.ts';
import { cleanEnvironment, shell } from '../support/cli.ts';
import { blocksOf, tableOf } from '../support/documents.ts';
import { root } from '../support/packed.ts';
import { secretToken } from '../support/service.ts';
import { temporaryFolder } from '../support/temp.ts';

const page = 'docs/embedding/users.md';
const blocks = (document: string, start: string) =>
  blocksOf(document).flatMap(({ language, code }) => (language.startsWith(start) ? [code] : []));

test(`${page}: from an empty folder to users who may do what their role allows`, async (t) => {
  const [install, start = '', tried = ''] = blocks(page, 'sh');
  assert.equal(install, 'npm init --yes\nnpm pkg set type=module\nnpm install shelflist\n');
  const cwd = await temporaryFolder(t);
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules/shelflist'));
  await writeFile(
    join(cwd, 'settings.js'),
    blocks('docs/embedding/index.md', 'js examples/settings.js').join(''),
  );
  await writeFile(join(cwd, 'users.js'), blocks(page, 'js examples/users.js').join(''));

  const run = async (commands: string) => {
    const app = spawn('bash', ['-euc', commands.replace(/^node /m, 'exec node ')], {
      cwd,
      env: cleanEnvironment(cwd, { PORT: '0' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => app.kill('SIGKILL'));
    const [line] = (await once(app.stdout, 'data')) as [Buffer];
    const stop = async () => {
      app.kill('SIGTERM');
      assert.deepEqual(await once(app, 'exit'), [0, null]);
    };
    return { url: line.toString().trim().replace(/\/$/, ''), stop };
  };
  const { url, stop } = await run(start);
  const example = 'http://127.0.0.1:3000/catalogue';
  assert.ok(tried.includes(example));
  const { code, stdout, stderr } = await shell(`set -eu\n${tried.replace(example, url)}`, { cwd });
  assert.deepEqual([code, stdout], [0, '200\n403\n200\n'], stderr);
  const login = await fetch(`${url}/token`, {
    method: 'POST',
    body: JSON.stringify({ username: 'librarian', password: 'staple and battery' }),
  });
  assert.equal(login.status, 401, 'the password of somebody else');
  assert.match(await (await fetch(`${url}/`, { headers: { Accept: 'text/html' } })).text(), /<title>/);
  await stop();
  assert.ok((await readdir(join(cwd, 'catalogue'))).includes('shelflist.db'));

  // Variables that are set, but empty, let nobody in.
  const emptied = start.replace(/(READER_PASSWORD|NIGHTLY_KEY)='[^']*'/g, "$1=''");
  assert.equal(emptied.match(/=''/g)?.length, 2);
  const app = await run(emptied);
  for (const headers of [{}, { 'X-Api-Key': '' }])
    assert.equal((await fetch(`${app.url}/books`, { headers: { ...headers } })).status, 401);
  const body = JSON.stringify({ username: 'reader', password: '' });
  assert.ok([400, 401].includes((await fetch(`${app.url}/token`, { method: 'POST', body })).status));
  await app.stop();
});

describe(`${page}: the response to each outcome`, () => {
  const user = { name: 'jane' };
  const outcomes: Readonly<Record<string, () => unknown>> = {
    'returns `{ name }`': () => user,
    'returns `undefined` or `null`': () => undefined,
    throws: () => Promise.reject(new Error('gone')),
    'does not answer': () => new Promise(() => undefined),
    'returns `true`': () => true,
    'returns anything but `true`': () => 'yes',
  };
  const rows = tableOf(page, 'callback').filter(({ outcome }) => outcome !== undefined);

  test('each callback has its rows', () => {
    assert.deepEqual(
      [...new Set(rows.map(({ callback }) => callback))],
      ['`authenticate`', '`identify`', '`authorize`'],
    );
  });

  for (const { callback = '', outcome = '', response = '' } of rows)
    test(`${callback} ${outcome}: ${response}`, async (t) => {
      const answer = outcomes[outcome] ?? assert.fail(outcome);
      const isLogin = callback === '`authenticate`';
      const handler = await createFetchHandler({
        secretToken,
        databaseUrl: 'memory:',
        logger: false,
        authenticate: isLogin ? answer : () => undefined,
        ...(!isLogin && { identify: callback === '`identify`' ? answer : () => user }),
        ...(callback === '`authorize`' && { authorize: answer }),
      } as HandlerConfig<object, Request>);
      t.after(() => handler.close());
      const ask = () =>
        isLogin
          ? new Request('http://x/token', { method: 'POST', body: '{"username":"jane","password":"emma"}' })
          : new Request('http://x/books');
      const isLate = outcome === 'does not answer';
      if (isLate) t.mock.timers.enable({ apis: ['setTimeout'] });
      const asking = handler(ask(), { remoteAddress: '192.0.2.7' });
      for (let i = 0; isLate && i < 20; i++) await new Promise(setImmediate);
      if (isLate) t.mock.timers.tick(10_000);
      const { status } = await asking;
      assert.equal(String(status), /^\d{3}/.exec(response)?.[0]);
      if (!response.includes('failed login') || isLate) return;
      for (let i = 1; i < 20; i++) await handler(ask(), { remoteAddress: '192.0.2.7' });
      assert.equal((await handler(ask(), { remoteAddress: '192.0.2.7' })).status, 429);
    });
});
