import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { Io } from '../io.ts';
import { createPrivateFile } from '../../lib/private-file.ts';

/** A text in a temporary file that only this user can read. */
export interface Draft {
  path: string;
  /** Opens it in the editor. @throws {ShelflistError} `failed`: the editor exits with an error. */
  edit(): Promise<void>;
  /** The saved text; `undefined` if the file no longer exists. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** @throws {ShelflistError} `usage`: no editor is named, and standard input is not a terminal for the default one. */
export async function createDraft(io: Io, name: string, text: string): Promise<Draft> {
  const editor = findEditor(io);
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  const path = join(folder, name);
  await createPrivateFile(path, text);
  return {
    path,
    edit: () => runEditor(io, editor, path),
    read: () => readFile(path, 'utf8').catch(() => undefined),
    write: (changed) => writeFile(path, changed),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function findEditor({ env, stdin }: Io): string {
  const named = env.VISUAL || env.EDITOR;
  if (named) return named;
  if (stdin.isTTY === true) return process.platform === 'win32' ? 'notepad' : 'vi';
  throw new ShelflistError('usage', {
    message: 'cannot open an editor: standard input is not a terminal; set EDITOR, or use `shelflist update`',
  });
}

/**
 * Runs the editor through a shell, since it may have arguments (`code --wait`). Ctrl-C is for the editor alone: the shell
 * traps it, which a child does not inherit.
 */
async function runEditor({ env, stdout }: Io, editor: string, path: string): Promise<void> {
  // Standard output is for results: if it is not the terminal, the editor draws on standard error.
  const stdio: ('inherit' | number)[] = ['inherit', stdout.isTTY ? 'inherit' : 2, 'inherit'];
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { stdio, env, shell: true })
      : spawn('sh', ['-c', `trap : INT; ${editor} "$1"`, editor, path], { stdio, env });
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new ShelflistError('failed', {
        message: `the editor (${editor}) exited with an error; nothing was saved`,
      });
  } finally {
    process.off('SIGINT', ignore);
  }
}
