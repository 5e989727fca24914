import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShelflistError } from '../errors.ts';
import type { Io } from './io.ts';
import { createPrivateFile } from './private-file.ts';

/** A text in a file that only this user can read, for as long as it is edited. */
export interface Draft {
  path: string;
  /** Opens it in the editor. @throws {ShelflistError} `failed`: the editor says so. */
  edit(): Promise<void>;
  /** The text as it was saved; `undefined` when the file is gone. */
  read(): Promise<string | undefined>;
  remove(): Promise<void>;
}

/** @throws {ShelflistError} `usage` when no editor is named and there is no terminal for the usual one. */
export async function createDraft(io: Io, name: string, text: string): Promise<Draft> {
  const editor = findEditor(io);
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  const path = join(folder, name);
  await createPrivateFile(path, text);
  return {
    path,
    edit: () => runEditor(io, editor, path),
    read: () => readFile(path, 'utf8').catch(() => undefined),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function findEditor({ env, stdin }: Io): string {
  const named = env.VISUAL || env.EDITOR;
  if (named) return named;
  if (stdin.isTTY === true) return process.platform === 'win32' ? 'notepad' : 'vi';
  throw new ShelflistError('usage', {
    message: 'there is no terminal for an editor; name one in EDITOR, or use `shelflist update`',
  });
}

/**
 * The editor's words are the shell's to read (`code --wait`), as everywhere else. Ctrl-C is the editor's while it
 * runs: the shell between outlives it by its trap, which a child does not inherit.
 */
async function runEditor({ env, stdout }: Io, editor: string, path: string): Promise<void> {
  // What an editor draws is no result: where standard output is not the terminal, it draws on the other one.
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
        message: `the editor (${editor}) ended with an error; nothing was saved`,
      });
  } finally {
    process.off('SIGINT', ignore);
  }
}
