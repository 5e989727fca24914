import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { cleanEnvironment, settings } from './cli.ts';
import { connect } from './client.ts';
import { ask, browserAccept } from './page.ts';
import { temporaryFolder, type Scope } from './temp.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

interface StartOptions {
  /** The exit status, or the signal that ends the app. Default: 0. */
  readonly exit?: number | 'SIGTERM';
  /** The working directory. Default: a new folder. */
  readonly cwd?: string;
  /** The program that runs it. Default: this Node. */
  readonly program?: string;
}

/** Starts an app of examples/, and ends it with the test. */
export async function startApp(
  context: Scope,
  args: readonly string[],
  ready: RegExp,
  { exit = 0, cwd: folder, program = process.execPath }: StartOptions = {},
): Promise<string> {
  const cwd = folder ?? (await temporaryFolder(context));
  const child = spawn(program, args, {
    cwd,
    env: {
      ...cleanEnvironment(cwd),
      ...settings,
      NODE_OPTIONS: '', // Frameworks add headers of their own, which the recorder of responses would report.
      PORT: '0',
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  context.after(async () => {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, exit === 'SIGTERM' ? [null, exit] : [exit, null]);
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = ready.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`${args.join(' ')} ended`);
}

/** What a user of the app sees: the page, the books, and the app around them. */
export async function checkApp(context: Scope, url: string): Promise<void> {
  const client = connect(context, url);
  const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  const book = await client.create(emma);
  assert.deepEqual(await client.list({ q: 'austen' }), [book]);
  await client.update(book.id, { year: 1816 });
  assert.equal((await client.get(book.id)).year, 1816);
  await client.delete(book.id);

  const page = await ask(`${url}/`, { headers: { Accept: browserAccept } });
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
  const bare = await ask(url, { headers: { Accept: browserAccept } });
  assert.equal(new URL(bare.headers.location ?? '', url).href, `${url}/`);
  assert.match((await ask(new URL('/', url).href)).text, /my own app/);

  // A stream that is open when the app is told to end.
  const changes = await fetch(`${url}/changes`, { headers: { Authorization: token } });
  assert.equal(changes.status, 200);
  context.after(() => changes.body?.cancel().catch(() => undefined)); // Without a reader, it would end by itself.
}
