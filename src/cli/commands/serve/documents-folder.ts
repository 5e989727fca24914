import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../../config/environment.ts';
import { systemFolder } from '../../../lib/system-folder.ts';

/** The wait for PowerShell, after which the folder is guessed. */
const timeoutMs = 10_000;

/** Asks for UTF-8: the name of the folder can have letters that the code page of the console lacks. */
const question =
  "[Console]::OutputEncoding = [Text.Encoding]::UTF8; [Environment]::GetFolderPath('MyDocuments')";

/**
 * Returns the user's folder for documents. Linux names it in `user-dirs.dirs` (XDG), in the user's language. Windows is asked,
 * because the folder can be in OneDrive. Default: `Documents` in the home folder.
 */
export async function documentsFolder(env: Environment, platform = process.platform): Promise<string> {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  const found = platform === 'win32' ? await askWindows(env) : await readUserDirs(env, home);
  return found ?? join(home, 'Documents');
}

async function askWindows(env: Environment): Promise<string | undefined> {
  try {
    const words = ['-NoProfile', '-NonInteractive', '-Command', question];
    // With its whole path: without it, Windows would first look in the current folder.
    const program = join(systemFolder(env), 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    const { stdout } = await promisify(execFile)(program, words, { timeout: timeoutMs });
    const folder = stdout.trim();
    return isAbsolute(folder) ? folder : undefined;
  } catch {
    return undefined; // PowerShell may be missing or forbidden.
  }
}

/** Reads the file that xdg-user-dirs writes in the user's language. Its paths are absolute, or begin with `$HOME/`. */
async function readUserDirs({ XDG_CONFIG_HOME: config = '' }: Environment, home: string) {
  const file = join(isAbsolute(config) ? config : join(home, '.config'), 'user-dirs.dirs');
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, quoted = ''] = /^\s*XDG_DOCUMENTS_DIR="((?:[^"\\\n]|\\.)*)"/m.exec(text) ?? [];
  const folder = quoted.replace(/\\(.)/g, '$1').replace(/^\$HOME(?=\/|$)/, () => home);
  return isAbsolute(folder) ? folder : undefined;
}
