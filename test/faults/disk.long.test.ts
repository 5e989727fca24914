import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Finding } from '../../src/cli/commands/doctor.ts';
import { createClient, openStore, type Book } from '../../src/index.ts';
import { serve, settings, shelflist, shell, workersOf, type RunningService } from '../support/cli.ts';
import { temporaryFolder } from '../support/temp.ts';
import { sized } from '../support/size.ts';

const run = promisify(execFile);

/** A place that is full after a while, and a way to make room there. */
interface SmallDisk {
  readonly path: string;
  /** Takes hold of the service, where that is what is limited. */
  limit?: (service: RunningService) => Promise<void>;
  makeRoom: (service: RunningService) => Promise<unknown>;
}

/** Where something is mounted for a test, which is let go of before the folder is removed that it is in. */
async function mountPoint(context: TestContext): Promise<string> {
  const mounted: string[] = [];
  context.after(() => Promise.allSettled(mounted.map((path) => run('umount', ['--lazy', path]))));
  const path = join(await temporaryFolder(context), 'disk');
  mounted.push(path);
  return path;
}

/** A file system in memory, half of which a file takes. */
async function mountSmall(context: TestContext): Promise<SmallDisk> {
  const path = await mountPoint(context);
  await mkdir(path);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'shelflist-test', path]);
  const filler = join(path, '.filler');
  await writeFile(filler, Buffer.alloc(8 * 1024 * 1024));
  return { path: join(path, 'data'), makeRoom: () => rm(filler) };
}

/** A limit on the length of a process's files, which needs no rights. */
async function limitFiles(context: TestContext): Promise<SmallDisk> {
  await run('prlimit', ['--version']);
  const limitTo = async (service: RunningService, bytes: string) => {
    for (const pid of [...(await workersOf(service)), service.child.pid ?? 0])
      await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  };
  return {
    path: join(await temporaryFolder(context), 'data'),
    limit: (service) => limitTo(service, '6000000'),
    makeRoom: (service) => limitTo(service, 'unlimited'),
  };
}

const disks: [what: string, prepare: (context: TestContext) => Promise<SmallDisk>][] = [
  ['a small file system', mountSmall],
  ['a limit on files', limitFiles],
];

describe('a full disk', { skip: process.platform !== 'linux' && 'needs Linux to fill a disk' }, () => {
  for (const [what, prepare] of disks) {
    for (const workers of ['1', '2']) {
      // In the short form, each place and each number of processes once.
      if (sized({ short: (workers === '1') !== (what === 'a small file system'), long: false })) continue;
      test(`${what}, ${workers} process(es): writes are 503, reads continue, and writes resume once there is space`, async (context) => {
        const disk = await prepare(context).catch((error: unknown) => {
          context.skip(`this user cannot make one: ${(error as Error).message.trim()}`);
        });
        if (disk === undefined) return;
        const folder = await temporaryFolder(context);
        const env = { ...settings, DATABASE_URL: `file:${disk.path}`, WORKERS: workers };
        const service = await serve(context, folder, env);
        await disk.limit?.(service);
        const client = createClient({ url: service.url });
        context.after(() => {
          client.close();
        });
        const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
        const stored = await fill(service.url, token);
        assert.ok(stored.length > 100);

        // As long as it is full: each kind of request, and nothing of what was refused.
        const { id = 0 } = stored[0] ?? {};
        assert.deepEqual(await client.get(id), stored[0]);
        assert.deepEqual(await client.list(), stored);
        assert.equal((await client.list({ q: 'full' })).length, stored.length);
        const ready = await fetch(`${service.url}/readyz`);
        if (what === 'a small file system') assert.equal(ready.status, 503);
        // A few deletes may still fit. The specified answer of one that fails is that of a book that does not exist.
        for (;;) {
          const last = stored.at(-1)?.id ?? 0;
          const response = await fetch(`${service.url}/book/${last}`, {
            method: 'DELETE',
            headers: { Authorization: token },
          });
          const answer: unknown = await response.json();
          if (response.ok) stored.pop();
          else {
            assert.deepEqual(answer, { status: 404, message: 'Book not found', data: null });
            break;
          }
        }
        const deleted = await shelflist(['delete', String(id)], {
          cwd: folder,
          env: {
            SHELFLIST_URL: service.url,
            SHELFLIST_USERNAME: settings.AUTH_USERNAME,
            SHELFLIST_PASSWORD: settings.AUTH_PASSWORD,
          },
        });
        assert.equal(deleted.code, 5);
        assert.match(
          deleted.stderr,
          new RegExp(`^shelflist: book ${id} could not be deleted: the service cannot write; `, 'm'),
        );
        assert.deepEqual(await client.get(id), stored[0]);

        await disk.makeRoom(service);
        stored.push(await client.create(filling));
        stored[0] = await client.update(id, { year: 1 });
        await client.delete(stored.splice(1, 1)[0]?.id ?? 0);
        assert.equal(await service.stop(), 0);
        const again = await serve(context, folder, env);
        const reader = createClient({ url: again.url });
        await reader.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
        assert.deepEqual(await reader.list(), stored);
        reader.close();
      });
    }
  }
});

const filling = { title: `full ${'x'.repeat(2000)}`, author: '', year: 0 };

/**
 * Creates books, some at once, then one by one, until nothing fits any more; gives what was acknowledged, by id. Each is one
 * request: the client would repeat what is refused.
 */
async function fill(url: string, token: string): Promise<Book[]> {
  const stored: Book[] = [];
  const create = async () => {
    const body = JSON.stringify(filling);
    const response = await fetch(`${url}/book`, { method: 'POST', headers: { Authorization: token }, body });
    const { data } = (await response.json()) as { data: Book };
    if (response.ok) stored.push(data);
    else assert.equal(response.status, 503);
    return response.ok;
  };
  for (const atOnce of [10, 1]) {
    for (let refused = 0; refused < 20;) {
      const outcomes = await Promise.all(Array.from({ length: atOnce }, create));
      refused += outcomes.filter((isStored) => !isStored).length;
    }
  }
  return stored.sort((x, y) => x.id - y.id);
}

test('doctor says how little room is left on the disk of the store', async (context) => {
  const disk = await mountSmall(context).catch((error: unknown) => {
    context.skip(`this user cannot mount one: ${(error as Error).message.trim()}`);
  });
  if (disk === undefined) return;
  const folder = await temporaryFolder(context);
  const store = await openStore(`file:${disk.path}`);
  await store.create({ title: 'Emma' });
  await store.close();
  const env = { ...settings, DATABASE_URL: `file:${disk.path}` };
  const findings = async () => {
    const { stdout } = await shelflist(['doctor', '--json'], { cwd: folder, env });
    return (JSON.parse(stdout) as Finding[]).filter(({ check }) => check === 'disk');
  };
  const [little] = await findings();
  assert.equal(little?.state, 'problem');
  assert.match(little.finding, /^only \d MB are free; writes fail when it is full$/);
  await writeFile(join(dirname(disk.path), '.filler2'), Buffer.alloc(16 * 1024 * 1024)).catch(
    () => undefined,
  );
  const [full] = await findings();
  assert.equal(full?.finding, 'it is full: nothing can be written');
});

test('a restore or a copy onto a full disk, and a temporary file on it, name its place', async (context) => {
  const cwd = await temporaryFolder(context);
  const store = await openStore(`file:${join(cwd, 'data')}`);
  for (let i = 0; i < 10; i++) await store.create({ title: randomBytes(500_000).toString('base64') });
  await store.close();
  const disk = await mountPoint(context);
  await mkdir(disk);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'shelflist-test', disk]);
  } catch (error) {
    context.skip(`this user cannot make one: ${(error as Error).message.trim()}`);
    return;
  }
  for (const name of ['x', 'x.gz']) await shelflist(['backup', name, '-d', 'file:./data'], { cwd });
  const full = `cannot use the store ${disk}/new: its disk`;
  for (const [line, message] of [
    [`restore x -d file:${disk}/new`, `${full} is full; make room, or name another folder`],
    [`copy file:./data file:${disk}/new`, `${full}, or that of /tmp, is full; make room, or set TMPDIR`],
    ['verify x.gz', `cannot write a temporary file to ${disk} (ENOSPC); set TMPDIR to a folder with room`],
  ] as const) {
    const env = line.startsWith('verify') ? { TMPDIR: disk } : { TMPDIR: '/tmp' };
    const { code, stderr } = await shell(`shelflist ${line}`, { cwd, env });
    assert.equal(stderr, `shelflist: ${message}\n`);
    assert.equal(code, 1);
  }
});

test('a start on a read-only file system is refused, with advice', async (context) => {
  const path = await mountPoint(context);
  const folder = await temporaryFolder(context);
  const env = { ...settings, DATABASE_URL: `file:${path}` };
  await (await serve(context, folder, env)).stop();
  try {
    await run('mount', ['--bind', path, path]);
    await run('mount', ['-o', 'remount,ro,bind', path]);
  } catch (error) {
    context.skip(`this user cannot make one: ${(error as Error).message.trim()}`);
    return;
  }
  const { code, stderr } = await shell('shelflist serve --port 0', { cwd: folder, env });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^shelflist: cannot use the store .+: its file system is read-only; remount it read-write, or name another folder\n$/,
  );
});
