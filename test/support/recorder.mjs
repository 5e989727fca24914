import { Buffer } from 'node:buffer';
import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { now } from './test-recorder.mjs';
import './output-recorder.mjs';

/**
 * Records the responses of services, for `answers.ts` to check. `run.ts` loads it into every process of a test run, even
 * those with little memory: it is small, and writes no more under load. It uses the global `process`, not
 * `node:process`, whose import opens standard input.
 */
/* global process */
const file = join(process.env.ANSWERS_FOLDER ?? '', `${process.pid}.ndjson`);
const longestBody = 256 * 1024;
const perKind = 200;

/** Stays open: a service that has no descriptor left still records. */
let descriptor;
const kinds = new Map();
const written = new Set();

function record(at, method, target, head, body) {
  const kind = `${method} ${target.replace(/\d+/g, '0')} ${head.slice(0, 12)}`;
  const count = kinds.get(kind) ?? 0;
  const answer = `${method} ${target} ${body}`;
  if (count >= perKind || written.has(answer)) return;
  kinds.set(kind, count + 1);
  written.add(answer);
  descriptor ??= openSync(file, 'a');
  writeSync(descriptor, `${JSON.stringify({ at, method, target, head, body })}\n`);
}

/** The bytes of a body before it was compressed. Few responses are, so the decoders are loaded when they are needed. */
function decode(body, head) {
  const [, coding] = /\r\nContent-Encoding: (br|gzip)\r/i.exec(head) ?? [];
  if (coding === undefined || body.length === 0) return body;
  const { brotliDecompressSync, gunzipSync } = process.getBuiltinModule('node:zlib');
  return coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
}

/** Only a server of the catalogue has this method of its own. */
const isCatalogue = (server) => server != null && Object.hasOwn(server, 'closeIdleConnections');

const isOurs = (server, head) =>
  isCatalogue(server) ||
  (/\r\nx-request-id:/i.test(head) && /\r\nx-content-type-options: nosniff/i.test(head));

subscribe('http.server.request.start', ({ request, response, server }) => {
  const { method, url } = request;
  const at = now();
  const chunks = [];
  let length = 0;
  for (const name of ['write', 'end']) {
    const send = response[name];
    response[name] = function (chunk, ...rest) {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) {
        length += chunk.length;
        if (length <= longestBody) chunks.push(Buffer.from(chunk));
      }
      return send.call(this, chunk, ...rest);
    };
  }
  response.once('finish', () => {
    // Records the sent bytes: `getHeaders()` lacks the headers of `writeHead`, and the body of a HEAD is dropped.
    const { _header: head, _hasBody: hasBody } = response;
    if (!isOurs(server, head)) return;
    const body = length <= longestBody ? decode(Buffer.concat(chunks), head).toString() : null;
    record(at, method, url, head, hasBody ? body : '');
  });
});

/** Invalid HTTP never becomes a request: its response is written to the connection, which then ends. */
subscribe('net.server.socket', ({ socket }) => {
  const { server, end } = socket;
  if (!isCatalogue(server)) return;
  socket.end = function (text, ...rest) {
    if (typeof text === 'string') {
      const [head, body] = text.split('\r\n\r\n');
      record(now(), '', '', head, body);
    }
    return end.call(this, text, ...rest);
  };
});
