#!/usr/bin/env node
import { main } from '../src/cli/main.ts';

void main(process.argv.slice(2), {
  get stdin() {
    return process.stdin; // Created on first use.
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  directory: process.cwd(),
}).then((status) => {
  process.exitCode = status;
});
