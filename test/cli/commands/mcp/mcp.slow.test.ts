import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cleanEnvironment, program, shell } from '../../../support/cli.ts';
import { startSession } from '../../../support/session.ts';
import { temporaryFolder } from '../../../support/temp.ts';

const { service, folder, run } = await startSession({ after });
await run(['add', '--title', 'Emma', '--author', 'Jane Austen', '--year', '1815']);
const env = { SHELFLIST_URL: service.url };
const request = (id: number, method: string, params?: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const search = { name: 'search_books', arguments: { q: 'emma' } };
const emma = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };

for (const mode of ['legacy', 'auto'] as const)
  test(`the official client (${mode}) starts the program, and has the login of the commands`, async (t) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--url', service.url],
      cwd: await temporaryFolder(t), // An assistant starts it anywhere.
      env: cleanEnvironment(folder) as Record<string, string>,
      stderr: 'ignore',
    });
    t.after(() => client.close());
    await client.connect(transport);
    const { structuredContent } = await client.callTool(search);
    assert.deepEqual((structuredContent as { books: unknown }).books, [emma]);
  });

test('without a login, a call says how to log in, and works after that', async (t) => {
  const home = await temporaryFolder(t);
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: home, env: cleanEnvironment(home, env) });
  t.after(() => child.kill('SIGKILL'));
  const output = text(child.stdout);
  child.stdin.write(request(1, 'tools/call', search));
  await once(child.stdout, 'readable'); // The first answer.
  await shell(`cp "${join(folder, '.env')}" . && shelflist login && rm .env`, { cwd: home, env });
  child.stdin.end(request(2, 'tools/call', search));
  const answers = (await output).trimEnd().split('\n');
  const [refused, found] = answers.map((line) => JSON.parse(line) as { result: { isError?: boolean } });
  assert.match(
    JSON.stringify(refused),
    /"text":"not logged in to http[^"]*; run `shelflist login --url http[^"]*`"/,
  );
  assert.equal(refused?.result.isError, true);
  assert.match(JSON.stringify(found), /"title":"Emma"/);
});

describe('it ends with status 0, and writes nothing but answers', () => {
  test('at the end of its input, after the answers', async () => {
    const input = request(1, 'ping') + request(2, 'tools/call', search);
    const { code, stdout, stderr } = await shell('shelflist mcp', { cwd: folder, env, input });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const answers = stdout.trimEnd().split('\n');
    assert.deepEqual(
      answers.map((line) => (JSON.parse(line) as { id: number }).id),
      [1, 2],
    );
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`at ${signal}`, async (t) => {
      const child = spawn(process.execPath, [program, 'mcp'], {
        cwd: folder,
        env: cleanEnvironment(folder, env),
      });
      t.after(() => child.kill('SIGKILL'));
      const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
      child.stdin.write(request(1, 'ping'));
      await once(child.stdout, 'readable');
      child.kill(signal);
      const [code] = (await once(child, 'close')) as [number | null];
      assert.deepEqual([code, ...(await outputs)], [0, '{"jsonrpc":"2.0","id":1,"result":{}}\n', '']);
    });

  test('when nobody reads its answers', async () => {
    const input = Array.from({ length: 200 }, (_, i) => request(i, 'tools/list')).join('');
    const { code, stderr } = await shell('shelflist mcp | head -c 10; exit "${PIPESTATUS[0]}"', {
      cwd: folder,
      env,
      input,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });
});

test('an address that is no address ends it at the start', async () => {
  const { code, stdout, stderr } = await run(['mcp', '--url', 'books']);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  assert.match(stderr, /^shelflist: the address of a service starts with http/);
});
