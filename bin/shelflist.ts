#!/usr/bin/env node
import Module, { createRequire } from 'node:module';
import { createCodeFolder } from '../src/lib/cache-folder.ts';
import type * as Program from '../src/cli/program/main.ts';
import { run } from './run.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `shelflist needs Node 20.19 or later; this is ${process.version}. See https://nodejs.org\n`,
  );
  process.exit(1);
}

// Node 22 and later keep the compiled code of the files that are loaded from here on. The program is a file of its own for this.
const { enableCompileCache } = Module as { enableCompileCache?: (folder: string) => void };
const codeFolder = enableCompileCache && createCodeFolder();
if (codeFolder !== undefined) enableCompileCache?.(codeFolder);
const { main } = createRequire(__filename)('./program.cjs') as typeof Program;

run(main, process.argv.slice(2));
