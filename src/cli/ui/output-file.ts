import { open, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createGzip } from 'node:zlib';
import { CommandError, isFailure } from '../command-error.ts';
import { isGzipName } from '../../formats/file-formats.ts';
import { AtomicFile } from '../../lib/atomic-file.ts';
import { findShellSyntax } from '../../lib/shell-syntax.ts';
import { isStoreFolder } from '../../store/sqlite/setup.ts';
import { forTerminal, shellWord, write, type Io } from '../io.ts';

/** A file that a command writes. It is written as `draft`, and gets its name when it is complete. */
interface OutputFile {
  readonly draft: string;
  /** The mode of the file that it replaces. */
  readonly mode: number | undefined;
  /** Runs an action on the draft. @throws {CommandError} `failed` for an error of the system. */
  attempt<T>(action: () => Promise<T>): Promise<T>;
  /** Gives the complete file its name. @throws {CommandError} `failed` */
  keep(): Promise<void>;
  /** Removes the draft. */
  drop(): Promise<void>;
}

/**
 * Checks the path of a file, and creates nothing yet. A replaced file keeps its mode, and links to it stay valid.
 *
 * @throws {CommandError} `failed`: it exists and `replace` is false, or it would be in the folder of a store.
 */
export async function findOutputFile(
  io: Io,
  file: string,
  { replace, otherwise = '' }: { replace: boolean; otherwise?: string },
): Promise<OutputFile> {
  let path = resolve(io.directory, file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined ? file.endsWith('/') : !found.isFile())
    throw new CommandError('failed', { message: `${file} is not a file${otherwise}` });
  if (found !== undefined) {
    if (!replace) throw isThere(file);
    path = await realpath(path);
  }
  if (await isStoreFolder(dirname(path)))
    throw new CommandError('failed', {
      message: `${file} would be in the folder of a store; choose another`,
    });
  const mode = found && found.mode & 0o777;
  const newFile = new AtomicFile(path, { replace });
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (isFailure(error)) throw error;
      throw code === 'EEXIST' ? isThere(file) : cannotWrite(file, code ?? message, error);
    }
  };
  return {
    draft: newFile.draft,
    mode,
    attempt,
    keep: () => attempt(() => newFile.commit(mode)),
    drop: () => newFile.discard(),
  };
}

function isThere(file: string): CommandError {
  return new CommandError('failed', { message: `${file} exists already; --force replaces it` });
}

function cannotWrite(file: string, reason: string, cause: unknown): CommandError {
  const folder = dirname(file);
  const word = findShellSyntax(file);
  const message =
    reason === 'ENOENT' && word !== undefined
      ? `cannot write ${file}: only a shell expands ${word}; write the full path`
      : reason === 'ENOENT' // The draft is a new file, so only its folder can be missing.
        ? `cannot write ${file}: the folder ${folder} does not exist; create it: mkdir -p ${shellWord(folder)}`
        : reason === 'ENOTDIR'
          ? `cannot write ${file}: ${folder} is not a folder; name another`
          : `cannot write ${file} (${reason}); check the space and the mode of its folder, or choose another`;
  return new CommandError('failed', { message, cause });
}

/** Where the content of a file goes: a file, or standard output. */
export interface Destination {
  /** Returns `false` if the reader has gone. @throws {CommandError} `failed`: the disk is full, for example. */
  write(content: string | Uint8Array): Promise<boolean>;
  /** Gives a complete file its name. */
  keep(): Promise<void>;
  /** Removes an incomplete file. */
  drop(): Promise<void>;
}

/**
 * Opens a file as {@link findOutputFile} finds it, or standard output for `-`. A file whose name ends in `.gz` is compressed.
 *
 * @throws {CommandError} `failed`: it exists and `replace` is false, or it cannot be created.
 */
export async function openDestination(io: Io, file: string, replace: boolean): Promise<Destination> {
  const nothing = () => Promise.resolve();
  if (file === '-')
    return {
      write: (content) => write(io, typeof content === 'string' ? forTerminal(io, content) : content),
      keep: nothing,
      drop: nothing,
    };
  const output = await findOutputFile(io, file, { replace, otherwise: '; - is standard output' });
  const handle = await output.attempt(() => open(output.draft, 'wx', output.mode));
  const compressor = isGzipName(file) ? createCompressor() : undefined;
  return {
    write: (content) =>
      output.attempt(async () => {
        await handle.appendFile((await compressor?.push(content)) ?? content);
        return true;
      }),
    keep: async () => {
      await output.attempt(async () => {
        if (compressor !== undefined) await handle.appendFile(await compressor.end());
        await handle.close();
      });
      await output.keep();
    },
    drop: async () => {
      await handle.close();
      await output.drop();
    },
  };
}

/** Compresses with gzip, piece by piece. Each call returns the bytes that are ready, which may be none. */
function createCompressor() {
  const stream = createGzip();
  const ready: Uint8Array[] = [];
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const take = () => Buffer.concat(ready.splice(0));
  return {
    async push(content: string | Uint8Array): Promise<Uint8Array> {
      await new Promise<void>((resolve, reject) => {
        stream.write(content, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      return take();
    },
    async end(): Promise<Uint8Array> {
      await new Promise<void>((resolve) => stream.once('end', resolve).end());
      return take();
    },
  };
}
