import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '../../client/client.ts';
import { systemFolder } from '../../lib/system-folder.ts';
import type { Io } from '../io.ts';

/** The program that opens an address like a clicked link, with its first arguments. */
function openerOf({ env }: Io): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform !== 'win32') return ['xdg-open'];
  // `explorer` would split the address at `=`.
  return [join(systemFolder(env), 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
}

interface Opening {
  /** Whether a browser starts. */
  isStarted: boolean;
  /** What to show: a browser that fails to start shows nothing. */
  message: string;
}

/**
 * Opens the page of a service in a browser of this machine, logged in as the user of a client. The address contains a code and no
 * token: every user can read the arguments of a program, but the page uses up the code at once, and it expires after a minute. No file
 * contains it, because a browser in a sandbox cannot read files of other programs.
 *
 * @param url The address of the service, without a trailing slash.
 * @throws {ShelflistError} The service gives no code.
 */
export async function openPage(io: Io, url: string, client: Client): Promise<Opening> {
  const page = `${url}/`;
  const [opener, ...words] = openerOf(io);
  const address = `${page}#code=${await client.createCode()}`;
  try {
    const child = spawn(opener, [...words, address], { env: { ...io.env }, stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.unref();
    const message = `opening ${page} in the browser; if nothing appears, type this address there`;
    return { isStarted: true, message };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `cannot start a browser with ${opener} (${code}); open ${page} in a browser, and log in with the username and password of the service`;
    return { isStarted: false, message };
  }
}
