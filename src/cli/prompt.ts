import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';
import { type Io, plain } from './io.ts';

/**
 * Asks the user at the terminal; `undefined` if the input ends (Ctrl-D). The answer to a silent question is not echoed.
 *
 * @throws {CommandError} `interrupted` for Ctrl-C.
 */
export async function ask(
  { stdin, stderr }: Io,
  question: string,
  { silent = false, ifStopped = 'interrupted' }: { silent?: boolean; ifStopped?: string } = {},
): Promise<string | undefined> {
  // Ids from `-` may have been typed: then nothing more can be read.
  if (stdin.readableEnded)
    throw new CommandError('usage', {
      message: 'standard input has ended, so nothing can be asked; use --yes',
    });
  const prompt = plain(question);
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({
    input: stdin,
    output: silent ? nowhere : stderr,
    terminal: true,
    historySize: 0,
    prompt,
  });
  let answer: string | undefined;
  try {
    answer = await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => {
        reject(new CommandError('interrupted', { message: ifStopped }));
      });
      lines.once('close', () => {
        resolve(undefined);
      });
      if (silent) stderr.write(prompt);
      else lines.prompt();
    });
    return answer;
  } finally {
    lines.close();
    // Enter is echoed unless the answer is hidden; Ctrl-C and Ctrl-D are not.
    if (silent || answer === undefined) stderr.write('\n');
  }
}
