#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { version } from '../package.json';
import type * as Program from '../src/cli/main.ts';

const requireHere = createRequire(__filename);
const file = join(__dirname, 'program.cjs');

/**
 * Loads the program with the code that V8 made of it during the build (`warm-up.mjs`), instead of compiling it. V8 ignores the
 * code of another version of Node.
 */
function load(): typeof Program {
  const codeFile = `${file}.v8`;
  if (!existsSync(codeFile)) return requireHere(file) as typeof Program;
  const script = new Script(Module.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    cachedData: readFileSync(codeFile),
  });
  const program = { exports: {} };
  const run = script.runInThisContext() as (...names: unknown[]) => void;
  run(program.exports, requireHere, program, file, __dirname);
  return program.exports as typeof Program;
}

const argv = process.argv.slice(2);
if (argv[0] === '--version' || argv[0] === '-V') {
  process.stdout.write(`${version}\n`); // As the program does, but without loading it: scripts ask often.
} else {
  process.exitCode = 1; // Unless it ends.
  void load()
    .main(argv, {
      get stdin() {
        return process.stdin; // Created on first use.
      },
      stdout: process.stdout,
      stderr: process.stderr,
      env: process.env,
      get directory() {
        return process.cwd(); // Fails in a folder that was deleted.
      },
    })
    .then((status) => {
      process.exitCode = status;
    });
}
