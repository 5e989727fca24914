import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as begin, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { createClient } from '../../../../src/index.ts';
import {
  cleanEnvironment,
  gone,
  program,
  serve,
  shell,
  workersOf,
  type RunningService,
  settings,
} from '../../../support/cli.ts';
import { newDatabaseUrl, startMongod } from '../../../support/mongod.ts';
import { startStranger } from '../../../support/session.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

async function start(context: Scope, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(context);
  const service = await serve(context, cwd, { ...settings, WORKERS: '3', ...env });
  return { cwd, service, workers: await workersOf(service) };
}

async function logIn({ url }: RunningService): Promise<string> {
  const client = createClient({ url });
  const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  client.close();
  return typeof token === 'string' ? token : '';
}

/** One request on a connection of its own, which goes to the next worker. */
async function request(service: RunningService, token: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: token, Connection: 'close' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return { status: response.status, data };
}

/** Creates books, 20 at a time, each on its own connection; returns the acknowledged ids. */
async function createBooks(service: RunningService, token: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const { status, data } = await request(service, token, '/book', { title: `book ${left}` }).catch(
        () => ({ status: 0, data: undefined }), // Its worker was killed: that one was not acknowledged.
      );
      if (status === 201) ids.push((data as { id: number }).id);
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
  return ids;
}

async function listedIds(service: RunningService, token: string): Promise<number[]> {
  const { data } = await request(service, token, '/books');
  return (data as { id: number }[]).map(({ id }) => id);
}

const stores: [name: string, skip: string | false, env: () => Record<string, string>][] = [
  ['LMDB', false, () => ({})],
  [
    'MongoDB',
    'skip' in mongod ? mongod.skip : false,
    () => {
      return 'skip' in mongod ? {} : { DATABASE_URL: newDatabaseUrl(mongod) };
    },
  ],
];

for (const [name, skip, env] of stores) {
  test(
    `three workers on ${name}: each id is given once, and each worker lists them all`,
    { skip },
    async (context) => {
      const { service, workers } = await start(context, env());
      assert.equal(workers.length, 3);
      const token = await logIn(service);
      const ids = (await createBooks(service, token, 300)).sort((a, b) => a - b);
      assert.equal(new Set(ids).size, 300);
      for (let i = 0; i < 9; i++) assert.deepEqual(await listedIds(service, token), ids);
    },
  );
}

test('a worker that is killed under load is replaced, and no acknowledged book is lost', async (context) => {
  const { service, workers } = await start(context);
  const token = await logIn(service);
  const creating = createBooks(service, token, 600);
  process.kill(workers[0] ?? 0, 'SIGKILL');
  await service.said(new RegExp(`worker ${workers[0]} exited \\(SIGKILL\\); replacing it\n`));
  const ids = await creating;
  const listed = new Set(await listedIds(service, token));
  assert.deepEqual(
    ids.filter((id) => !listed.has(id)),
    [],
  );
  assert.equal((await workersOf(service)).length, 3);
});

test('all workers killed at once are replaced on the announced port', async (context) => {
  const { service, workers } = await start(context);
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  await gone(workers);
  for (;;) {
    const answer = await fetch(service.url).catch(() => undefined);
    if (answer) break;
  }
  assert.equal(await service.stop(), 0);
});

test('a code of one worker is exchanged by any of them, once', async (context) => {
  const { service } = await start(context);
  const token = await logIn(service);
  const post = (path: string, body: object) => request(service, token, path, body);
  for (let i = 0; i < 6; i++) {
    const { data: code } = await post('/token/code', {});
    const { data } = await post('/token/exchange', code as { code: string });
    assert.deepEqual(data, { token });
    assert.equal((await post('/token/exchange', code as { code: string })).status, 401);
  }
});

test('the service gives up when workers keep exiting early', async (context) => {
  const { service } = await start(context);
  const ended = once(service.child, 'close') as Promise<[number | null]>;
  while (service.child.exitCode === null && !service.stderr().includes('in a row')) {
    for (const pid of await workersOf(service).catch(() => [])) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  assert.deepEqual((await ended)[0], 1);
  assert.match(service.stderr(), /\nshelflist: 5 workers in a row exited in the first second; .+\n$/);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} under load: requests in flight are answered, the exit status is 0, no process is left`, async (context) => {
    const { service, workers } = await start(context);
    const Authorization = await logIn(service);
    const uploads = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const body = JSON.stringify({ title: `${i}` });
        const headers = { Authorization, Expect: '100-continue', 'Content-Length': body.length };
        const upload = begin(`${service.url}/book`, { method: 'POST', headers });
        upload.flushHeaders();
        await once(upload, 'continue'); // It has arrived at a worker.
        return { upload, body };
      }),
    );
    const stopped = service.stop(signal);
    await service.said(/stopping/);
    const ids = await Promise.all(
      uploads.map(async ({ upload, body }) => {
        const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
        upload.end(body);
        const { data } = (await json((await answered)[0])) as { data: { id: number } };
        return data.id;
      }),
    );
    assert.equal(await stopped, 0);
    assert.equal(new Set(ids).size, 60);
    await gone(workers);
    assert.match(
      service.stderr(),
      / with 3 workers\n[^]*Z shelflist info: stopping: requests in flight .+\n\S+Z shelflist info: stopped\n$/,
    );
  });
}

test('a second signal ends all at once, whatever is in flight', async (context) => {
  const { service, workers } = await start(context);
  const headers = { Authorization: await logIn(service), Expect: '100-continue', 'Content-Length': 9 };
  const upload = begin(`${service.url}/book`, { method: 'POST', headers });
  upload.on('error', () => undefined);
  upload.flushHeaders();
  await once(upload, 'continue'); // The worker waits for the body, which never comes.
  const ended = once(service.child, 'close');
  service.child.kill('SIGTERM');
  await service.said(/stopping/);
  const again = setInterval(() => service.child.kill('SIGTERM'), 50); // What comes too soon is the same request.
  const [code] = (await ended) as [number | null];
  clearInterval(again);
  await gone(workers);
  assert.notEqual(code, 0, 'it waited for the upload');
});

test('WORKERS in .env is used, and auto means one worker per core', async (context) => {
  const cwd = await temporaryFolder(context);
  await writeFile(join(cwd, '.env'), 'WORKERS=2\n');
  const two = await serve(context, cwd, settings);
  assert.equal((await workersOf(two)).length, 2);
  await two.stop();
  const auto = await serve(context, cwd, { ...settings, WORKERS: 'auto' });
  assert.equal((await workersOf(auto)).length, availableParallelism() > 1 ? availableParallelism() : 0);
});

test('a service stopped while it starts many workers starts no more of them', async (context) => {
  const cwd = await temporaryFolder(context);
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--workers', '200'], {
    cwd,
    env: cleanEnvironment(cwd, settings),
    stdio: 'ignore',
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const begun = new Set<number>();
  while (child.exitCode === null && child.signalCode === null) {
    for (const pid of await workersOf({ child }).catch(() => [])) begun.add(pid);
    if (begun.size > 1 && !child.killed) child.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
  assert.ok(begun.size < 100, `${begun.size} were begun`);
  await gone([...begun]);
});

test('when the primary is killed, its workers stop by themselves', async (context) => {
  const { service, workers } = await start(context);
  service.child.kill('SIGKILL');
  await gone(workers);
});

describe('a failing start is reported once, and leaves no process', () => {
  const table: {
    what: string;
    options: string;
    env: Record<string, string>;
    code: number;
    stderr: RegExp;
  }[] = [
    {
      what: 'no secret',
      options: '-w 3',
      env: { SECRET_TOKEN: '' },
      code: 1,
      stderr: /^shelflist: SECRET_TOKEN is not set\.\nAdd .+\n$/,
    },
    {
      what: 'the store',
      options: '-w 3 -d file:.env',
      env: {},
      code: 1,
      stderr: /^shelflist: cannot use the store .+ is a file; name a folder\n$/,
    },
    {
      what: '--workers 0',
      options: '--workers 0',
      env: {},
      code: 2,
      stderr: /^shelflist: invalid --workers '0': .+ from 1 to 1024, or auto\n/,
    },
    { what: '--workers x', options: '--workers x', env: {}, code: 2, stderr: /invalid --workers 'x'/ },
    { what: '--workers 1.5', options: '--workers 1.5', env: {}, code: 2, stderr: /invalid --workers '1\.5'/ },
    {
      what: 'WORKERS=0',
      options: '',
      env: { WORKERS: '0' },
      code: 1,
      stderr: /^shelflist: WORKERS \(environment WORKERS\) is not a whole/,
    },
    {
      what: 'WORKERS=1.5',
      options: '',
      env: { WORKERS: '1.5' },
      code: 1,
      stderr: /^shelflist: WORKERS .+, or auto\n$/,
    },
    {
      what: 'WORKERS in .env',
      options: '',
      env: {},
      code: 1,
      stderr: /^shelflist: WORKERS \(\.env WORKERS\) is not/,
    },
  ];
  for (const { what, options, env, code, stderr } of table) {
    test(what, async (context) => {
      const cwd = await temporaryFolder(context);
      await writeFile(join(cwd, '.env'), 'WORKERS=x\n');
      // It ends only when nobody holds its output any more: no worker is left.
      const outcome = await shell(`shelflist serve --port 0 ${options}`, {
        cwd,
        env: { ...settings, ...env },
      });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.code, code);
    });
  }

  test('the port is taken', async (context) => {
    const cwd = await temporaryFolder(context);
    const { port } = await startStranger(context);
    const { stderr, code } = await shell(`shelflist serve -w 3 --port ${port}`, { cwd, env: settings });
    assert.match(stderr, /^shelflist: port \d+ of 127\.0\.0\.1 is in use \(flag --port\); .+\n$/);
    assert.equal(code, 1);
  });
});
