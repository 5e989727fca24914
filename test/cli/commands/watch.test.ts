import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { after, test, type TestContext } from 'node:test';
import { cleanEnvironment, program } from '../../support/cli.ts';
import { startSession } from '../../support/session.ts';

const { service, folder, run } = await startSession({ after });

/** Runs `shelflist watch`; `line` gives its next line of standard output. */
function watch(t: TestContext, ...args: string[]) {
  const child = spawn(process.execPath, [program, 'watch', ...args], {
    cwd: folder,
    env: cleanEnvironment(folder, { SHELFLIST_URL: service.url }),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  return { child, ended, line: async () => JSON.parse(String((await lines.next()).value)) as unknown };
}

test('watch writes each change as a line of JSON, continues after a position, and Ctrl-C ends it', async (t) => {
  const unknown = watch(t, '--after', 'unknown');
  const { position: begin, ...reset } = (await unknown.line()) as { position: string };
  assert.deepEqual(reset, { reset: true });
  await run(['add', '--title', 'Emma']);
  await run(['update', '1', '--year', '1815']);
  await run(['delete', '1', '--yes']);
  const seen = [await unknown.line(), await unknown.line(), await unknown.line()] as { position: string }[];
  assert.deepEqual(
    seen.map((each) => ({ ...each, position: '' })),
    ['created', 'updated', 'deleted'].map((change) => ({ position: '', id: 1, change })),
  );
  unknown.child.kill('SIGINT');
  const goOn = `shelflist: interrupted; to continue: shelflist watch --after ${seen[2]?.position ?? ''}\n`;
  assert.deepEqual(await unknown.ended, {
    code: 130,
    stderr: `changes are missing; read the books again\n${goOn}`,
  });

  const later = watch(t, '--after', begin);
  assert.deepEqual([await later.line(), await later.line(), await later.line()], seen);
  later.child.kill('SIGTERM');
  assert.deepEqual(await later.ended, { code: 130, stderr: goOn });
});

test('watch --json reports missing changes in its lines only', async (t) => {
  const { child, line, ended } = watch(t, '--after', 'unknown', '--json');
  assert.match(JSON.stringify(await line()), /^{"position":".+","reset":true}$/);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.match(stderr, /^\{"error":\{"code":"interrupted","message":"interrupted; to continue: .+"\}\}\n$/);
  assert.equal(code, 130);
});

test('watch refuses what is not a position, and ends when its login does', async (t) => {
  const wrong = watch(t, '--after', 'a b');
  const { code, stderr } = await wrong.ended;
  assert.equal(code, 2);
  assert.match(stderr, /invalid --after 'a b': expected the "position" of a line/);
  const nobody = await watch(t, '--username', 'nobody').ended;
  assert.equal(nobody.code, 4);
  assert.match(nobody.stderr, /^shelflist: not logged in to /);
});
