import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { shellWord, type Io } from '../../io.ts';
import { findOutputFile } from '../../ui/output-file.ts';
import { completionScript, shells, type Shell } from './scripts.ts';

/** What an installation wrote. All of it is in the user's own folders. */
export interface Installation {
  readonly shell: Shell;
  readonly script: string;
  /** The start-up file of the shell, if it names the script. */
  readonly startup: string | null;
  /** Whether the start-up file was changed: the first installation changes it. */
  readonly isNew: boolean;
}

/** The lines of the start-up file that this command owns. */
const block = /^# >>> shelflist completion >>>\n[^]*?^# <<< shelflist completion <<<\n/m;

/** The shell of the user, by its login shell. @throws {ShelflistError} `usage`: it is not a supported one. */
export function findShell({ env }: Io): Shell {
  const name = basename(env.SHELL ?? '');
  const found = shells.find((shell) => shell === name);
  if (found !== undefined) return found;
  throw new ShelflistError('usage', {
    message: `the variable SHELL names no supported shell; add one of ${shells.join(', ')}`,
  });
}

/**
 * Writes the completion script, and has bash or zsh read it when they start. Repeating it changes nothing more.
 *
 * @throws {ShelflistError} `failed`: a file cannot be written; `usage`: PowerShell alone knows its start-up file.
 */
export async function installCompletion(io: Io, shell: Shell, program: string): Promise<Installation> {
  const home = io.env.HOME || homedir();
  const text = completionScript(shell, program);
  if (shell === 'powershell')
    throw new ShelflistError('usage', {
      message: 'PowerShell alone knows its profile; run: shelflist completion powershell >> $PROFILE',
    });
  if (shell === 'fish') {
    const config = io.env.XDG_CONFIG_HOME || join(home, '.config');
    const script = join(config, 'fish/conf.d/shelflist.fish'); // Unlike completions/, it is read for npx, too.
    return { shell, script, startup: null, isNew: await replaceText(io, script, text) };
  }
  const script = join(io.env.XDG_DATA_HOME || join(home, '.local/share'), `shelflist/completion.${shell}`);
  await replaceText(io, script, text);
  // A terminal of macOS starts a login shell, and bash then reads another file.
  const bashFile = process.platform === 'darwin' ? '.bash_profile' : '.bashrc';
  const startup = shell === 'zsh' ? join(io.env.ZDOTDIR || home, '.zshrc') : join(home, bashFile);
  const before = (await readText(startup)) ?? '';
  const own = `# >>> shelflist completion >>>\n[ -r ${shellWord(script)} ] && . ${shellWord(script)}\n# <<< shelflist completion <<<\n`;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  const after = block.test(before) ? before.replace(block, () => own) : `${before}${separator}${own}`;
  return { shell, script, startup, isNew: await replaceText(io, startup, after) };
}

/** Writes a file in a folder that may not exist yet; returns whether this changed it. */
async function replaceText(io: Io, path: string, text: string): Promise<boolean> {
  if ((await readText(path)) === text) return false;
  await mkdir(dirname(path), { recursive: true });
  const file = await findOutputFile(io, path, { replace: true });
  try {
    await file.attempt(() => writeFile(file.draft, text));
    await file.keep();
  } catch (error) {
    await file.drop();
    throw error;
  }
  return true;
}

/** The text of a file; `undefined` if it does not exist. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ShelflistError('failed', { message: `cannot read ${path} (${code})`, cause: error });
  }
}
