import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { replacePrivateFile } from '../../lib/atomic-file.ts';
import { cacheFolder } from '../../lib/cache-folder.ts';
import type { Io } from '../io.ts';

/** The programs that open a file as if somebody had double-clicked it. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };

/** The file that opens the page. All services share it: it is needed for a moment only. */
const forwardingFile = () => cacheFolder('open.html');

/** How long the browser may take to start. */
const patienceMs = 60_000;

interface Opening {
  /** Whether a browser starts. */
  isStarted: boolean;
  /** What to show: a browser that fails to start shows nothing. */
  message: string;
  /** Resolves when the browser has got the token, or gets it no more. Never rejects. */
  done: Promise<void>;
}

/**
 * Opens the page of a service in a browser of this machine, logged in. Every user can read the arguments of a program, so that the
 * browser opens a file that only this user can read. The file holds no token: it leads to this process, which gives the token once.
 *
 * @param url The address of the service, without a trailing slash.
 * @param stopped Ends the wait for the browser.
 */
export async function openPage(
  { env }: Io,
  url: string,
  token: string,
  stopped: AbortSignal,
): Promise<Opening> {
  const page = `${url}/`;
  const opener = openers[process.platform] ?? 'xdg-open';
  const over = new AbortController();
  const signal = AbortSignal.any([stopped, over.signal]);
  const handover = await listenOnce(`${page}#token=${encodeURIComponent(token)}`);
  const done = Promise.race([handover.used, wait(patienceMs, undefined, { signal })])
    .catch(() => undefined)
    .then(() => {
      over.abort();
      handover.close();
      return rm(forwardingFile(), { force: true });
    })
    .catch(() => undefined);
  try {
    await replacePrivateFile(forwardingFile(), forwardTo(handover.address));
    const target = process.platform === 'win32' ? forwardingFile() : pathToFileURL(forwardingFile()).href;
    const child = spawn(opener, [target], { env: { ...env }, stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.unref();
    const message = `opening ${page} in the browser; if nothing appears, type this address there`;
    return { isStarted: true, message, done };
  } catch (error) {
    over.abort();
    await done;
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `cannot start a browser with ${opener} (${code}); open ${page} in a browser, and log in with the username and password of the service`;
    return { isStarted: false, message, done };
  }
}

interface Handover {
  /** The secret address. */
  address: string;
  /** Resolves when somebody has been forwarded. */
  used: Promise<void>;
  close: () => void;
}

/** Listens on this machine, and forwards the first request for a secret address to another one. */
async function listenOnce(target: string): Promise<Handover> {
  const path = `/${randomBytes(32).toString('base64url')}`;
  const events = new EventEmitter<{ used: [] }>();
  const used = once(events, 'used').then(() => undefined);
  let isUsed = false;
  const server = createServer((request, response) => {
    const isFirst = !isUsed && request.url === path && request.method === 'GET';
    isUsed ||= isFirst;
    if (isFirst) response.once('close', () => events.emit('used'));
    const headers = { 'Cache-Control': 'no-store', Connection: 'close' };
    if (isFirst) response.writeHead(302, { ...headers, Location: target });
    else response.writeHead(404, headers);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}${path}`, used, close };
}

function forwardTo(address: string): string {
  const text = JSON.stringify(address);
  return `<!doctype html><meta charset="utf-8"><title>shelflist</title><script>location.replace(${text})</script>\n`;
}
