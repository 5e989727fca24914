import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { exchange, responses } from '../support/raw.ts';
import type { Victim } from './victim.ts';

/** One round of an attack, which may go on until `over`; checks what is answered, and leaves no connection open. */
export type Attack = (victim: Victim, over: AbortSignal) => Promise<void>;

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const statusesOf = (text: string) => responses(text).map(({ status }) => status);

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const authorized = ({ token }: Victim, line: string, ...headers: string[]) =>
  head(line, `Authorization: ${token}`, ...headers);

/** Opens connections that send the same bytes; each gets one response with this status, and is closed. */
function refused(count: number, status: number, bytes: (victim: Victim) => string | Buffer): Attack {
  return async (victim) => {
    const sent = bytes(victim);
    const texts = await Promise.all(times(count, () => exchange(victim.port, sent)));
    for (const text of texts) {
      assert.deepEqual(statusesOf(text), [status], text.slice(0, 1000));
      assert.match(text, /\{"status":\d{3},"message":"[^"]+","data":null\}$/);
    }
  };
}

const filler = 'x'.repeat(3 * 1024 * 1024);

/** Sends a body that is too long: it is refused and discarded, and the next request gets a response. */
function longBody(start: (victim: Victim) => string, end = ''): Attack {
  return async (victim) => {
    const sent = start(victim) + filler + end + head('GET /x', 'Connection: close');
    for (const text of await Promise.all(times(4, () => exchange(victim.port, sent))))
      assert.deepEqual(statusesOf(text), [413, 404]);
  };
}

/** Sends headers that are too long. With TCP, a client that is cut off while it sends may lose the response. */
function longHead(start: string): Attack {
  return async ({ port }) => {
    for (const text of await Promise.all(times(4, () => exchange(port, start + filler))))
      if (text !== '') assert.deepEqual(statusesOf(text), [431]);
  };
}

async function open({ port }: Victim, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/** Opens connections that send some bytes, then a byte now and then, or nothing. No response is read. */
function held(count: number, start: (victim: Victim) => string, drip = ''): Attack {
  return async (victim, over) => {
    const text = start(victim);
    const sockets = await Promise.all(times(count, () => open(victim, text)));
    while (!over.aborted) {
      await setTimeout(50);
      if (drip !== '') for (const socket of sockets) socket.write(drip);
    }
    for (const socket of sockets) socket.destroy();
  };
}

/** Opens connections that are reset after some bytes, or after the first bytes of a response. */
function reset(count: number, start: (victim: Victim) => string, isAnswered: boolean): Attack {
  return async (victim) => {
    const text = start(victim);
    const one = async () => {
      const socket = await open(victim, text);
      if (isAnswered) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      socket.resetAndDestroy();
    };
    await Promise.all(times(count, one));
  };
}

/** Sends many requests in one piece; each gets its response. */
function pipelined(count: number): Attack {
  return async (victim) => {
    const bytes =
      authorized(victim, 'GET /book/1').repeat(count) + authorized(victim, 'GET /x', 'Connection: close');
    for (const text of await Promise.all(times(2, () => exchange(victim.port, bytes)))) {
      assert.deepEqual(statusesOf(text), [...times(count, () => 200), 404]);
    }
  };
}

const list = (victim: Victim) => authorized(victim, 'GET /books');
const upload = (victim: Victim) => authorized(victim, 'POST /book', 'Content-Length: 1000000');

/** Every attack; `connections` is how many are held open at once. */
export function allAttacks(connections: number): [what: string, attack: Attack][] {
  return [
    ['noise', refused(20, 400, () => '\x16\x03\x01\x02\x00\r\n\r\n')],
    ['both lengths', refused(20, 400, () => head('POST /token', 'Content-Length: 4', 'Transfer-Encoding: chunked'))],
    ['two Hosts', refused(20, 400, () => head('GET /books', 'Host: y'))],
    ['CONNECT', refused(20, 400, () => head('CONNECT x:1'))],
    ['upgrade', refused(20, 404, () => head('GET /x', 'Connection: Upgrade, close', 'Upgrade: websocket'))],
    ['absolute URLs', refused(20, 401, () => head('GET http://y/books', 'Connection: close'))],
    ['other expectations', refused(20, 417, () => head('POST /book', 'Expect: gold', 'Connection: close'))],
    ['100-continue, and no body', held(100, (victim) => authorized(victim, 'POST /book', 'Expect: 100-continue', 'Content-Length: 9'))],
    ['3 MiB of a body', longBody((victim) => authorized(victim, 'POST /book', `Content-Length: ${filler.length}`))],
    ['3 MiB in a chunk', longBody((victim) => `${authorized(victim, 'POST /book', 'Transfer-Encoding: chunked')}300000\r\n`, '\r\n0\r\n\r\n')],
    ['3 MiB of headers', longHead(`${head('GET /x').slice(0, -2)}A: `)],
    ['3 MiB of a target', longHead('GET /')],
    ['half-open connections', held(connections, () => head('GET /books').slice(0, -2))],
    ['connections that say nothing', held(connections, () => '')],
    ['slow headers', held(100, () => head('GET /books').slice(0, -2), 'A')],
    ['slow bodies', held(100, upload, '{')],
    ['pipelining', pipelined(200)],
    ['resets at once', reset(50, () => '', false)],
    ['resets in a head', reset(50, () => 'GET /bo', false)],
    ['resets in a body', reset(50, (victim) => `${upload(victim)}{"title":"`, false)],
    ['resets before the answer', reset(50, (victim) => authorized(victim, 'GET /book/1'), false)],
    ['resets in a long list', reset(5, list, true)],
    ['resets of pipelined lists', reset(5, (victim) => list(victim).repeat(20), true)],
    ['readers of long lists who take nothing', held(20, list)],
    ['readers of many answers who take nothing', held(20, (victim) => authorized(victim, 'GET /book/1').repeat(300))],
  ]; // prettier-ignore
}
