#!/usr/bin/env node
import { main } from '../src/cli/main.ts';

process.exitCode = 1; // Unless it ends.
void main(process.argv.slice(2), {
  get stdin() {
    return process.stdin; // Created on first use.
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  get directory() {
    return process.cwd(); // Fails in a folder that was deleted.
  },
}).then((status) => {
  process.exitCode = status;
});
