import { setImmediate } from 'node:timers/promises';
import { ShelflistError } from '../errors.ts';
import type { Io } from './io.ts';

/**
 * Asks the person at the terminal; `undefined` when the input ends instead (Ctrl-D).
 *
 * @throws {ShelflistError} `interrupted` for Ctrl-C.
 */
export async function ask(
  io: Io,
  prompt: string,
  { silent = false, ifStopped = 'stopped' }: { silent?: boolean; ifStopped?: string } = {},
): Promise<string | undefined> {
  const { read } = await import('read');
  let answer: string | undefined;
  let stopped = false;
  // The end of input settles nothing in `read`. But its readline interface pauses the input whenever it
  // closes: if no answer comes with that, there is none.
  let onPause: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    onPause = () => void setImmediate().then(resolve);
  });
  io.stdin.once('pause', onPause);
  try {
    answer = await Promise.race([read({ prompt, silent, input: io.stdin, output: io.stderr }), ended]).then(
      (text) => text ?? undefined,
    );
  } catch {
    stopped = true;
  } finally {
    io.stdin.off('pause', onPause);
  }
  // Enter is echoed, unless the answer is hidden; Ctrl-C and Ctrl-D never are.
  if (silent || answer === undefined) io.stderr.write('\n');
  if (stopped) throw new ShelflistError('interrupted', { message: ifStopped });
  return answer;
}
