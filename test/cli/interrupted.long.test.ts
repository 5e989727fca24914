import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { openStore, type Book, type RequestInfo } from '../../src/index.ts';
import { cleanEnvironment, gone, program, shelflist } from '../support/cli.ts';
import { embeddedStore, startService, type TestService } from '../support/service.ts';
import { startSession } from '../support/session.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';
import { noTerminal } from '../support/terminal.ts';

const undoLine = /^to take this back(?:, if it did happen)?: shelflist undo \S+$/m;

/** The write requests at whose arrival the command gets the signal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
const points = Array.from({ length: sized({ short: 1, long: 20 }) }, (_, i) => i + 1);
/** One request of an import has at most 1000. */
const rows = (points.length + 1) * 1000;

const commands = {
  import: ['import', 'books.csv'],
  change: ['change', '--author', 'Anon', '--to-author', 'Anonymous', '--yes'],
  delete: ['delete', '--author', 'Anon', '--yes'],
  merge: ['merge', ...Array.from({ length: 30 }, (_, i) => String(i + 1)), '--yes'],
};

const cleanup: (() => unknown)[] = [];
const scope: Scope = { after: (fn) => cleanup.unshift(fn) };
let service: TestService;
let folder: string;
let env: Record<string, string>;
let onWrite: (() => void) | undefined;
let open = 0;
let onIdle: (() => void) | undefined;

before(async () => {
  folder = await temporaryFolder(scope);
  service = await startService(scope, {
    ...(await embeddedStore(scope)),
    onRequest({ method, path }: RequestInfo) {
      open++;
      // In a long run, the client renews its token.
      if (method !== 'GET' && !['/books/lookup', '/token/renew'].includes(path)) onWrite?.();
    },
    onResponse() {
      if (--open === 0) onIdle?.();
    },
  });
  env = { SHELFLIST_URL: service.url, SHELFLIST_TOKEN: service.token };
  const books = Array.from({ length: 400 }, () => ({ title: 'Emma', author: 'Anon', year: 1815 }));
  await service.request('POST', '/books', { token: service.token, body: books });
  await writeFile(join(folder, 'books.csv'), `title\n${'Imported\n'.repeat(rows)}`);
});

async function list(): Promise<readonly Book[]> {
  const { envelope } = await service.request('GET', '/books', { token: service.token });
  return envelope?.data as Book[];
}

/** Runs a command in a process of its own, which gets a signal when its n-th write arrives. */
async function interrupt(args: readonly string[], signal: NodeJS.Signals, n: number) {
  let writes = 0;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: cleanEnvironment(folder, env),
  });
  onWrite = () => {
    if (++writes === n) child.kill(signal);
  };
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  onWrite = undefined;
  // What a killed command has sent is still carried out.
  if (open > 0) await new Promise<void>((resolve) => (onIdle = resolve));
  return { stderr, code: child.exitCode, writes };
}

for (const [name, args] of Object.entries(commands))
  describe(name, () => {
    for (const signal of signals)
      test(`that gets ${signal} at its first, second, … write can be taken back`, async () => {
        const expected = await list();
        let early = 0;
        for (const n of points) {
          const { stderr, code, writes } = await interrupt(args, signal, n);
          assert.ok(writes >= n, `${writes} writes: ${stderr}`);
          const [, batch] =
            /^to take this back(?:, if it did happen)?: shelflist undo (\S+)$/m.exec(stderr) ?? [];
          const isChanged = JSON.stringify(await list()) !== JSON.stringify(expected);
          if (signal !== 'SIGKILL') {
            assert.match(stderr, code === 0 ? /\n$/ : /^shelflist: interrupted/m);
            assert.equal(batch !== undefined, isChanged, stderr);
          }
          if (code !== 0) early++;
          if (!isChanged) continue;
          const undone = await shelflist(['undo', batch ?? '--last', '--yes'], { cwd: folder, env });
          assert.equal(undone.code, 0, undone.stderr);
          assert.deepEqual(await list(), expected);
        }
        assert.ok(early > 0, 'a signal came before the last write');
      });
  });

describe('undo', () => {
  for (const signal of signals)
    test(`that gets ${signal} at its first, second, … step can be taken back`, async () => {
      const imported = await shelflist(['import', 'books.csv', '--json'], { cwd: folder, env });
      const { batch } = JSON.parse(imported.stdout) as { batch: string };
      const expected = await list();
      for (const n of points.slice(0, 5)) {
        const { stderr, writes } = await interrupt(['undo', batch, '--yes'], signal, n);
        assert.ok(writes >= n, `${writes} writes: ${stderr}`);
        const [, printed] =
          /^to take this back(?:, if it did happen)?: shelflist undo (\S+)$/m.exec(stderr) ?? [];
        if (signal !== 'SIGKILL') assert.ok(printed, stderr);
        const { stdout } = await shelflist(['undo', '--list', '--limit', '1', '--json'], {
          cwd: folder,
          env,
        });
        const [newest] = JSON.parse(stdout) as { batch: string }[];
        const undone = await shelflist(['undo', printed ?? newest?.batch ?? '', '--yes'], {
          cwd: folder,
          env,
        });
        assert.equal(undone.code, 0, undone.stderr);
        assert.deepEqual(await list(), expected);
      }
      assert.equal((await shelflist(['undo', batch, '--yes'], { cwd: folder, env })).code, 0);
    });
});

for (const [name, args] of Object.entries(commands))
  test(
    `${name} ends when its terminal is closed, and undo --last takes it back`,
    { skip: noTerminal },
    async () => {
      const expected = await list();
      const words = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
      const screen = spawn('script', ['-qec', `echo $$ > pid; exec ${words}`, '/dev/null'], {
        cwd: folder,
        env: { ...cleanEnvironment(folder, env), SHELL: '/bin/bash' },
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      let writes = 0;
      onWrite = () => {
        if (++writes === 2) screen.kill('SIGKILL');
      };
      await once(screen, 'close');
      await gone([Number(await readFile(join(folder, 'pid'), 'utf8'))]);
      onWrite = undefined;
      assert.ok(writes >= 2, 'the terminal was closed in the middle');
      const undone = await shelflist(['undo', '--last', '--yes'], { cwd: folder, env });
      assert.equal(undone.code, 0, undone.stderr);
      assert.deepEqual(await list(), expected);
    },
  );

for (const option of [[], ['--json']])
  test(`a second signal ends a command whose first write has no answer yet, and the undo is printed before ${option.join()}`, async (t) => {
    const store = await openStore('memory:');
    let release: (() => void) | undefined;
    const stuck = new Promise<void>((resolve) => (release = resolve));
    let timer: NodeJS.Timeout | undefined;
    const { url, token } = await startService(t, {
      store: {
        ...store,
        async createMany(...args) {
          timer ??= setInterval(() => child.kill('SIGINT'), 100); // Until it ends.
          await stuck;
          return store.createMany(...args);
        },
      },
    });
    const child = spawn(process.execPath, [program, ...commands.import, ...option], {
      cwd: folder,
      env: cleanEnvironment(folder, { SHELFLIST_URL: url, SHELFLIST_TOKEN: token }),
    });
    const stderr = text(child.stderr);
    await once(child, 'close');
    clearInterval(timer);
    release?.();
    assert.equal(child.signalCode, 'SIGINT');
    assert.match(await stderr, /^to take this back(?:, if it did happen)?: shelflist undo \S+\n$/m);
  });

for (const line of [
  'import books.csv',
  'change --all --to-year 1 --yes',
  'delete 1 2 --yes',
  'merge 1 2 --yes',
  'undo --last --yes',
])
  test(`${line} --json says on standard error how to take it back if nobody can read its result`, async (t) => {
    const { folder: cwd, run } = await startSession(t);
    await writeFile(join(cwd, 'books.csv'), 'title\nEmma\nEmma\n');
    await run(['import', 'books.csv']);
    const full = await run(`shelflist ${line} --json > /dev/full`);
    assert.match(full.stderr, undoLine);
    assert.equal(full.code, 1);
    assert.doesNotMatch((await run(`shelflist ${line} --json`)).stderr, undoLine);
  });

after(async () => {
  for (const fn of cleanup) await fn();
});
