import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { replacePrivateFile } from '../../lib/atomic-file.ts';
import { cacheFolder } from '../../lib/cache-folder.ts';
import type { Io } from '../io.ts';

/** The programs that open a file as if somebody had double-clicked it. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };

/** The file that opens the page with the token. All services share it: it is needed for a moment only. */
const forwardingFile = () => cacheFolder('open.html');

/**
 * Opens the page of a service in a browser of this machine, logged in. The token goes through a file that only this user can
 * read, because every user can read the arguments of a program.
 *
 * @param url The address of the service, without a trailing slash.
 * @returns Whether a browser starts, and the message to show: a browser that fails to start shows none.
 */
export async function openPage(
  { env }: Io,
  url: string,
  token: string,
): Promise<{ isStarted: boolean; message: string }> {
  const page = `${url}/`;
  const opener = openers[process.platform] ?? 'xdg-open';
  try {
    await replacePrivateFile(forwardingFile(), forwardTo(`${page}#token=${encodeURIComponent(token)}`));
    const target = process.platform === 'win32' ? forwardingFile() : pathToFileURL(forwardingFile()).href;
    const child = spawn(opener, [target], { env: { ...env }, stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.unref();
    const message = `opening ${page} in the browser; if nothing appears, type this address there`;
    return { isStarted: true, message };
  } catch (error) {
    await removeForwarding();
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `cannot start a browser with ${opener} (${code}); open ${page} in a browser, and log in with the username and password of the service`;
    return { isStarted: false, message };
  }
}

/** Removes the page that logs in. */
export async function removeForwarding(): Promise<void> {
  await rm(forwardingFile(), { force: true }).catch(() => undefined);
}

function forwardTo(address: string): string {
  const text = JSON.stringify(address).replaceAll('<', '\\u003c');
  return `<!doctype html><meta charset="utf-8"><title>shelflist</title><script>location.replace(${text})</script>\n`;
}
