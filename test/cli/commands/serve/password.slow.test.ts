import assert from 'node:assert/strict';
import { chmod, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { serve, shelflist, workersOf, type RunningService } from '../../../support/cli.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

const newPassword = "the 'new' # password of this test";

/** A service whose password is in the `.env` of its folder. */
async function start(context: Scope, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(context);
  await shelflist(['init'], { cwd });
  const file = join(cwd, '.env');
  const stored = async () => parse(await readFile(file, 'utf8'));
  const { AUTH_USERNAME: username = '', AUTH_PASSWORD: password = '' } = await stored();
  const service = await serve(context, cwd, env);
  return { cwd, file, stored, username, password, service };
}

type Started = Awaited<ReturnType<typeof start>>;

/** One request on a connection of its own, which goes to the next worker. */
async function post({ url }: RunningService, path: string, body: object, token?: string) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Connection: 'close', ...(token !== undefined && { Authorization: token }) },
    body: JSON.stringify(body),
  });
  const { data, message } = (await response.json()) as { data: unknown; message: string };
  return { status: response.status, message, token: (data as { token: string } | null)?.token ?? '' };
}

const logIn = ({ service, username }: Started, password: string) =>
  post(service, '/token', { username, password });

async function change(started: Started, password: string): Promise<number> {
  const { token } = await logIn(started, started.password);
  const body = { password: started.password, newPassword: password };
  return (await post(started.service, '/password', body, token)).status;
}

describe('a new password', () => {
  test('is in .env before it is acknowledged, and the file stays private', async (t) => {
    const started = await start(t);
    await chmod(started.file, 0o644);
    const before = await started.stored();
    assert.equal(await change(started, newPassword), 200);
    assert.deepEqual(await started.stored(), { ...before, AUTH_PASSWORD: newPassword });
    assert.equal((await stat(started.file)).mode & 0o777, 0o600);
    assert.ok(!started.service.stderr().includes(newPassword));
  });

  test('is that of all workers, and of those that replace them', async (t) => {
    const started = await start(t, { WORKERS: '3' });
    const { service, password } = started;
    assert.equal(await change(started, newPassword), 200);
    const everywhere = async () => {
      for (let i = 0; i < 9; i++) {
        assert.equal((await logIn(started, newPassword)).status, 200);
        assert.equal((await logIn(started, password)).status, 401);
      }
    };
    await everywhere();
    for (const pid of await workersOf(service)) process.kill(pid, 'SIGKILL');
    await service.said(/replacing it[^]*replacing it[^]*replacing it/);
    while ((await workersOf(service)).length < 3) await new Promise(setImmediate);
    await started.service.said(/replacing it/);
    let status = 0;
    while (status !== 200) status = (await logIn(started, newPassword).catch(() => ({ status: 0 }))).status;
    assert.equal((await logIn(started, password)).status, 401);
  });

  test('of two that are sent to several workers at once, one is stored and accepted', async (t) => {
    const started = await start(t, { WORKERS: '3' });
    const choices = ['first', 'second', 'third', 'fourth'].map((each) => `the ${each} password`);
    const statuses = await Promise.all(choices.map((each) => change(started, each)));
    assert.deepEqual(
      statuses.filter((status) => status === 200),
      [200],
      String(statuses),
    );
    const accepted = choices[statuses.indexOf(200)] ?? '';
    assert.equal((await started.stored()).AUTH_PASSWORD, accepted);
    assert.equal((await logIn(started, accepted)).status, 200);
  });

  for (const [what, password] of [
    ['all kinds of quotes', `with quotes '"\``],
    ['half of a character', 'with half \ud800'],
    ['a line break that a .env changes', 'a line\r\nbreak'],
  ] as const)
    test(`that a .env cannot hold is refused: ${what}`, async (t) => {
      const started = await start(t, { WORKERS: '2' });
      const before = await started.stored();
      assert.equal(await change(started, password), 400);
      assert.deepEqual(await started.stored(), before);
      assert.equal((await logIn(started, started.password)).status, 200);
    });

  test('that cannot be written is a 503, and the old one remains', async (t) => {
    const started = await start(t);
    await rename(started.file, `${started.file}.away`);
    assert.equal(await change(started, newPassword), 503);
    await started.service.said(/ENOENT/);
    assert.equal((await logIn(started, started.password)).status, 200);
  });

  test('is not taken by a service whose password comes from elsewhere', async (t) => {
    const started = await start(t, { AUTH_PASSWORD: 'that of the environment' });
    const { token } = await logIn(started, 'that of the environment');
    const body = { password: 'that of the environment', newPassword };
    const { status, message } = await post(started.service, '/password', body, token);
    assert.deepEqual([status, message], [404, 'Not found']);
  });
});
