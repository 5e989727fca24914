import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, isFailure, withMessage, type Failure } from '../command-error.ts';
import { createPrivateFile } from '../../lib/atomic-file.ts';
import { wrapText } from '../../lib/wrap-text.ts';
import { plain, type Io } from '../io.ts';

/** A text to edit. */
interface Edited<T> {
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
  readonly save: (text: string) => Promise<T>;
  /** Whether another text, or the same one sent again, may be saved after an error. */
  readonly isCorrectable: (error: unknown) => error is Failure;
  /** The command line that submits the file, for the error of a text that is not saved. */
  readonly submitLine: (path: string) => string;
  /** Whether a changed text is kept when it is saved: a dry run has saved nothing. Default false. */
  readonly keepsText?: boolean;
}

/** The result of an edit. */
interface Saved<T> {
  readonly saved: T;
  /** The command line that submits the text, if that is kept. */
  readonly kept?: string;
}

/** An editor that is a script may change its text for ever. */
const maxAttempts = 20;

/**
 * Opens the editor on a private file until the text is saved, or the user closes it without correcting the text. The reason
 * of the last failure is on top of it.
 *
 * @throws {CommandError} `usage`: no editor is named, and standard input is not a terminal for the default one; `failed`;
 * and as `save` does.
 */
export async function editText<T>(
  io: Io,
  { name, text: original, save, isCorrectable, submitLine, keepsText = false }: Edited<T>,
): Promise<Saved<T>> {
  const editor = findEditor(io);
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  const path = join(folder, name);
  const remove = () => rm(folder, { recursive: true, force: true });
  await createPrivateFile(path, original);
  let refused: { text: string; reason: Failure } | undefined;
  for (let attempt = 1; ; attempt++) {
    const failure: unknown = await runEditor(io, editor, path).catch((error: unknown) => error);
    const text = await readFile(path, 'utf8').then(withoutReason, () => undefined);
    try {
      if (failure !== undefined) throw failure as Error;
      if (text !== undefined && text === refused?.text) throw refused.reason;
      const saved = await save(text ?? gone());
      if (keepsText && text !== original) return { saved, kept: submitLine(path) };
      await remove();
      return { saved };
    } catch (error) {
      if (text !== undefined && isCorrectable(error) && error !== refused?.reason && attempt < maxAttempts) {
        refused = { text, reason: error };
        await writeFile(path, withReason(error, text));
        continue;
      }
      if (text !== undefined && text !== original) throw naming(submitLine(path), error);
      await remove();
      throw error;
    }
  }
}

function gone(): never {
  throw new CommandError('failed', { message: 'the edited file no longer exists; nothing was saved' });
}

/** Puts the reason why a text was not saved on top of it, as comments. */
function withReason({ message }: Error, text: string): string {
  const lines = wrapText(plain(message), 76).map((line) => `// ${line}\n`);
  return `${lines.join('')}${text}`;
}

/** The text of a file without the reason on top of it. */
export function withoutReason(text: string): string {
  return text.replace(/^\uFEFF?(?:\/\/.*\r?\n)*/, '');
}

/** Adds the command that submits the file to an error, so that the text is not lost. */
function naming(line: string, error: unknown): unknown {
  if (!isFailure(error)) return error;
  return withMessage(error, `${error.message}. Your text is kept: \`${line}\` submits it`);
}

function findEditor({ env, stdin }: Io): string {
  const named = env.VISUAL || env.EDITOR;
  if (named) return named;
  if (stdin.isTTY === true) return process.platform === 'win32' ? 'notepad' : 'vi';
  throw new CommandError('usage', {
    message: 'cannot open an editor: standard input is not a terminal; set EDITOR, or use `shelflist update`',
  });
}

/**
 * Runs the editor through a shell, since it may have arguments (`code --wait`). Ctrl-C is for the editor alone: the shell
 * traps it, which a child does not inherit.
 */
async function runEditor({ env, stdin, stdout }: Io, editor: string, path: string): Promise<void> {
  // Standard output is for results: if it is not the terminal, the editor draws on standard error.
  const stdio: ('inherit' | number)[] = [
    stdin.isTTY ? 'inherit' : openTerminal(),
    stdout.isTTY ? 'inherit' : 2,
    'inherit',
  ];
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { stdio, env, shell: true })
      : spawn('sh', ['-c', `trap : INT; ${editor} "$1"`, editor, path], { stdio, env });
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new CommandError('failed', {
        message: `the editor (${editor}) exited with an error; nothing was saved`,
      });
  } finally {
    process.off('SIGINT', ignore);
    const [input] = stdio;
    if (typeof input === 'number') closeSync(input);
  }
}

/** The terminal, where standard input has been something else, such as ids; `inherit` where there is none. */
function openTerminal(): number | 'inherit' {
  try {
    return openSync('/dev/tty', 'r');
  } catch {
    return 'inherit';
  }
}
