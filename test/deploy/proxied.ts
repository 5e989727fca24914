import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request as begin } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { settings, type RunningService } from '../support/cli.ts';

interface Options {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The address of this machine that sends it. */
  readonly localAddress?: string;
}

/** Sends a request as a browser does: with compression, over HTTPS. */
export async function send(url: string, { method = 'GET', headers = {}, body, localAddress }: Options = {}) {
  const request = begin(url, {
    method,
    rejectUnauthorized: false, // The certificate of the test signs itself.
    headers: { 'Accept-Encoding': 'gzip', ...headers },
    agent: false,
    ...(localAddress !== undefined && { localAddress }),
  });
  const [response, bytes] = await new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
    request.on('error', reject).on('response', (answer) => {
      buffer(answer).then((whole) => {
        resolve([answer, whole]);
      }, reject);
    });
    request.end(body);
  });
  const isCompressed = response.headers['content-encoding'] === 'gzip';
  const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
  return { status: response.statusCode, headers: response.headers, isCompressed, text };
}

/**
 * Checks what docs/deployment.md promises of a proxy: the catalogue below its path, large bodies, compression that leaves the
 * tags of books alone, the addresses of clients, streams that do not wait, and no metrics.
 *
 * @param url The address of the catalogue at the proxy.
 */
export async function checkProxy(url: string, service: RunningService): Promise<void> {
  const login = JSON.stringify({ username: settings.AUTH_USERNAME, password: settings.AUTH_PASSWORD });
  const { text } = await send(`${url}/token`, { method: 'POST', body: login });
  const { token } = (JSON.parse(text) as { data: { token: string } }).data;
  const headers = { Authorization: token };

  const stream = new AbortController();
  const event = firstEvent(`${url}/changes`, headers, stream.signal);
  const books = Array.from({ length: 500 }, (_, i) => ({
    title: `${i} ${'long '.repeat(1990)}`,
    author: 'A',
    year: i,
  }));
  const bulk = JSON.stringify(books);
  const imported = await send(`${url}/books`, { method: 'POST', headers, body: bulk });
  assert.equal(imported.status, 200, imported.text.slice(0, 300));
  assert.ok(bulk.length > 4_000_000);
  assert.match(await event, /^(id|event|data|:)/m);
  stream.abort();

  const created = await send(`${url}/book`, { method: 'POST', headers, body: '{"title":"Emma"}' });
  assert.equal(created.status, 201);
  const list = await send(`${url}/books?limit=10`, { headers });
  assert.deepEqual([list.status, list.isCompressed], [200, true]);
  const one = await send(`${url}/book/1`, { headers });
  const { etag = '' } = one.headers;
  assert.match(etag, /^"/);
  const change = { method: 'PUT', headers: { ...headers, 'If-Match': etag }, body: '{"year":1817}' };
  assert.equal((await send(`${url}/book/1`, change)).status, 200);
  assert.equal((await send(`${url}/book/1`, change)).status, 412);

  const page = await send(`${url}/`, { headers: { Accept: 'text/html' } });
  assert.match(page.text, /^<!doctype html>/i);
  assert.equal((await send(`${url}/metrics`)).status, 404);
  if (new URL(url).pathname !== '/') assert.equal((await send(url)).status, 308);
  // A proxy that refuses a body without reading it may cut the connection before its answer is read.
  const huge = await send(`${url}/books`, { method: 'POST', headers, body: ' '.repeat(12_000_000) }).catch(
    (error: unknown) => ({ status: (error as NodeJS.ErrnoException).code }),
  );
  assert.ok(['413', 'ECONNRESET', 'EPIPE'].includes(`${huge.status}`), `${huge.status}`);

  const guess = JSON.stringify({ username: 'librarian', password: 'wrong' });
  // What a client claims in the header is not believed.
  const claim = { 'X-Forwarded-For': '192.0.2.66' };
  await send(`${url}/token`, { method: 'POST', body: guess, headers: claim, localAddress: '127.0.0.2' });
  await service.said(/failed login address="127\.0\.0\.2"/);
}

/** The first text of a stream. */
async function firstEvent(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = begin(url, { headers, signal, rejectUnauthorized: false, agent: false }, (response) => {
      response
        .on('error', () => undefined)
        .once('data', (chunk: Buffer) => {
          resolve(chunk.toString());
        });
    });
    request.on('error', reject).end();
  });
}
