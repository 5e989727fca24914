import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { type Io, widthOf, write as writeText } from '../io.ts';

/** Writes text, through a pager if it needs one. */
export interface PagedOutput {
  /** Waits until the text is written; `false` if the reader has gone. */
  write(text: string): Promise<boolean>;
  /** Waits until the user has left the pager. */
  end(): Promise<void>;
}

/**
 * Standard output. On a terminal, text that is longer than the screen goes to the pager in `PAGER`, else to `less`. As with
 * git, `less` gets the options FRX unless `LESS` is set, and `cat` is no pager.
 */
export function createPagedOutput(io: Io): PagedOutput {
  const { stdout } = io;
  const rows = stdout.isTTY ? (stdout.rows ?? 0) : 0;
  const command = rows > 0 ? pagerOf(io) : undefined;
  if (command === undefined) return { write: (text) => writeText(io, text), end: () => Promise.resolve() };
  let held = '';
  let heldLines = 0;
  let target: NodeJS.WritableStream | undefined;
  let pager: ChildProcess | undefined;
  const ignore = () => undefined; // Ctrl-C is for the pager.
  return {
    async write(text) {
      if (target === undefined) {
        held += text;
        // JSON may have no line breaks: the terminal then breaks it.
        heldLines += Math.max(text.split('\n').length - 1, Math.floor(text.length / (widthOf(io) ?? 80)));
        if (heldLines < rows) return true;
        pager = await startPager(io, command);
        if (pager !== undefined) process.on('SIGINT', ignore);
        target = pager?.stdin ?? stdout;
        text = held;
      }
      return writeText({ stdout: target }, text);
    },
    async end() {
      if (target === undefined) await writeText(io, held);
      if (pager === undefined) return;
      pager.stdin?.end();
      if (pager.exitCode === null && pager.signalCode === null) await once(pager, 'close');
      process.off('SIGINT', ignore);
    },
  };
}

/** Writes one text, as {@link createPagedOutput} does. */
export async function writePaged(io: Io, text: string): Promise<void> {
  const output = createPagedOutput(io);
  await output.write(text);
  await output.end();
}

function pagerOf({ env }: Io): string | undefined {
  const command = env.PAGER || (process.platform === 'win32' ? 'cat' : 'less');
  return command === 'cat' || env.TERM === 'dumb' ? undefined : command;
}

/** Starts the pager; `undefined` if it does not exist. A command with arguments needs a shell. */
async function startPager({ env }: Io, command: string): Promise<ChildProcess | undefined> {
  const options: SpawnOptions = {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...env },
    shell: !/^[\w./-]+$/.test(command),
  };
  const pager = spawn(command, options);
  pager.stdin?.on('error', () => undefined); // The user has left it: the callback of the write says so.
  try {
    await once(pager, 'spawn');
    return pager;
  } catch {
    return undefined;
  }
}
