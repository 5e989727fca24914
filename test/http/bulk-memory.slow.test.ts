import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { BulkBodies } from '../../src/server/http/bulk-body.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { credentials } from '../support/service.ts';

/** A server that reads bulk bodies, holds each until `finish`, and answers with the number of its elements or what failed. */
async function startReader(t: TestContext, bodies: BulkBodies) {
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    let count = 0;
    const visit = () => count++;
    const use = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    bodies.read(request, response, visit, use).then(
      () => response.end(String(count)),
      (error: unknown) => response.end(error instanceof ShelflistError ? error.code : String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const send = async (body: string): Promise<string> => {
    const sent = sendRequest({ port, host: '127.0.0.1', method: 'POST', agent: false }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return text(response);
  };
  return { send, waiting };
}

const tenBooks = `[${'{},'.repeat(9)}{}]`;

describe('the memory of all bulk bodies is limited', () => {
  test('a further body is refused with 503', async (t) => {
    const bodies = new BulkBodies(10_000, 1000, 2000);
    const { send, waiting } = await startReader(t, bodies);
    const first = send(tenBooks);
    while (waiting.length === 0) await new Promise(setImmediate);
    const held = bodies.heldBytes;
    assert.equal(held, 10 * 128 + 2 * tenBooks.length);
    assert.equal(await send(tenBooks), 'unavailable');
    assert.equal(bodies.heldBytes, held);
    waiting[0]?.();
    assert.equal(await first, '10');
    assert.equal(bodies.heldBytes, 0);
  });

  test('a body of maximum length always fits', async (t) => {
    const limit = 64 * 1024 * 1024;
    const bodies = new BulkBodies(limit, 1000);
    const { send, waiting } = await startReader(t, bodies);
    const answer = send(`${' '.repeat(limit - tenBooks.length)}${tenBooks}`);
    while (waiting.length === 0) await new Promise(setImmediate);
    waiting[0]?.();
    assert.equal(await answer, '10');
  });
});

test('eight concurrent bodies of 10 MB of empty books fit into a heap of 192 MB', async (t) => {
  const child = fork(compiledPath(join(import.meta.dirname, '../support/memory-service.ts')), {
    execArgv: ['--max-old-space-size=192'],
  });
  t.after(() => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const login = await fetch(`${url}/token`, { method: 'POST', body: JSON.stringify(credentials) });
  const { data } = (await login.json()) as { data: { token: string } };
  const body = `[${'{},'.repeat(3_490_000)}{}]`;
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const answer = await fetch(`${url}/books`, {
        method: 'POST',
        headers: { Authorization: data.token },
        body,
      });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  for (const status of statuses) assert.ok([413, 503].includes(status), `status ${status}`);
  assert.equal((await fetch(`${url}/livez`)).status, 200);
});
