import { setImmediate } from 'node:timers/promises';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { Io } from '../io.ts';

/**
 * Asks the user at the terminal; `undefined` if the input ends (Ctrl-D).
 *
 * @throws {ShelflistError} `interrupted` for Ctrl-C.
 */
export async function ask(
  io: Io,
  prompt: string,
  { silent = false, ifStopped = 'interrupted' }: { silent?: boolean; ifStopped?: string } = {},
): Promise<string | undefined> {
  const { read } = await import('read');
  let answer: string | undefined;
  let stopped = false;
  // `read` never settles at the end of input. Its readline interface then pauses the input, which shows that no answer
  // will come.
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
  // Enter is echoed unless the answer is hidden; Ctrl-C and Ctrl-D are not.
  if (silent || answer === undefined) io.stderr.write('\n');
  if (stopped) throw new ShelflistError('interrupted', { message: ifStopped });
  return answer;
}
