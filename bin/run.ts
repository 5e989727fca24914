import type * as Program from '../src/cli/program/main.ts';

/** Runs the program with the streams, environment and folder of this process. The status is 1 until `main` ends. */
export function run(main: typeof Program.main, argv: readonly string[]): void {
  process.exitCode = 1;
  void main(argv, {
    get stdin() {
      return process.stdin; // Created on first use.
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    get directory() {
      try {
        return process.cwd();
      } catch (cause) {
        throw new Error('cannot read the working directory: it was deleted; change to another one', {
          cause,
        });
      }
    },
  }).then((status) => {
    process.exitCode = status;
  });
}
