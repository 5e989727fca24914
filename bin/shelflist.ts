#!/usr/bin/env node
import { loadProgram } from './code-cache.ts';

process.exitCode = 1; // Until `main` ends.
void loadProgram()
  .main(process.argv.slice(2), {
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
