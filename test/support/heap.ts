import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { compiledPath } from './compiled-path.ts';
import { credentials } from './service.ts';
import type { Scope } from './temp.ts';

/** A service in a process of its own. */
interface MeasuredService {
  /** Sends a request on the one connection; returns its status. */
  readonly ask: (path: string) => Promise<number>;
  /** The bytes in the heap of its main thread: of live objects if garbage is collected, else with all garbage. */
  readonly heapBytes: (what: 'collect' | 'look') => Promise<number>;
}

/** Starts a service on a store. @param flags Those of V8. */
export async function startMeasured(
  scope: Scope,
  databaseUrl: string,
  flags: readonly string[] = [],
): Promise<MeasuredService> {
  const child = fork(compiledPath(join(import.meta.dirname, 'measured-service.ts')), [databaseUrl], {
    execArgv: ['--expose-gc', ...flags],
    env: { ...process.env, NODE_OPTIONS: '' }, // The recorder of responses would allocate, too.
  });
  scope.after(() => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  scope.after(() => {
    agent.destroy();
  });
  const send = async (path: string, options: { method?: string; body?: string; token?: string }) => {
    const { method = 'GET', body, token = '' } = options;
    const sent = request({ agent, port, host: '127.0.0.1', path, method, headers: { Authorization: token } });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response) };
  };
  const login = await send('/token', { method: 'POST', body: JSON.stringify(credentials) });
  assert.equal(login.status, 200);
  const { token } = (JSON.parse(login.body) as { data: { token: string } }).data;
  return {
    async ask(path) {
      return (await send(path, { token })).status;
    },
    async heapBytes(what) {
      const answered = once(child, 'message') as Promise<[number]>;
      child.send(what);
      return (await answered)[0];
    },
  };
}
