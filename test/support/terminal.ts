import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { cleanEnvironment, program, type RunOptions } from './cli.ts';

/** Why a test that needs a terminal cannot run here; `false` when it can. */
export const noTerminal = String(spawnSync('script', ['--version']).stdout).includes('util-linux')
  ? false
  : 'needs the program `script` of util-linux';

/**
 * Runs a command line on a terminal of its own, 80 columns wide, and types each answer when its prompt is
 * there: a line, or a control character as it is (Ctrl-C is `\\x03`, Ctrl-D `\\x04`), perhaps after something else has happened.
 * Returns the exit status and all output on the screen.
 */
export async function terminal(
  commandLine: string,
  { cwd, env }: Omit<RunOptions, 'input'>,
  answers: readonly (readonly [prompt: string, typed: string | (() => Promise<string>)])[] = [],
): Promise<{ code: number | null; screen: string }> {
  const script = `shelflist() { "${process.execPath}" "${program}" "$@"; }; stty cols 80; ${commandLine}`;
  const child = spawn('script', ['-qec', script, '/dev/null'], {
    cwd,
    env: { ...cleanEnvironment(cwd, env), SHELL: '/bin/bash', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
    // A program that waits for a key would wait forever. Ending the terminal also hangs up its other processes.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const type = (typed: string) => child.stdin.write(/^[\x03\x04]$/.test(typed) ? typed : `${typed}\r`); // eslint-disable-line no-control-regex -- they are the keys.
  const waiting = [...answers];
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const [next] = waiting;
    if (next === undefined || !screen.includes(next[0])) return;
    waiting.shift();
    const [, typed] = next;
    if (typeof typed === 'string') type(typed);
    else void typed().then(type);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (child.signalCode !== null) throw new Error(`${commandLine} waits after:\n${screen}`);
  return { code, screen: screen.replaceAll('\r\n', '\n') };
}
