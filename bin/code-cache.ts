import { readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type * as Program from '../src/cli/main.ts';

const file = join(__dirname, 'program.cjs');
/** Only the release of Node that wrote it reads it: V8 accepts the code of other releases with its own version, and may crash. */
const cacheFile = join(__dirname, `program-${process.version}-${process.platform}-${process.arch}.v8`);
/** The checksums of the program and of its code come first. */
const headerBytes = 8;

/** Loads the program, with its V8 code cache if there is a good one; otherwise Node compiles it. */
export function loadProgram(): typeof Program {
  const source = readFileSync(file);
  const code = process.sourceMapsEnabled ? undefined : readCode(source); // Node maps only the modules that it compiles.
  return code === undefined ? (requireHere(file) as typeof Program) : compile(source, code).program;
}

/** Compiles the program, and lets it run. Afterwards, writes the code of all functions that ran. */
export async function writeCodeCache(run: (program: typeof Program) => Promise<void>): Promise<void> {
  const source = readFileSync(file);
  const { program, script } = compile(source);
  await run(program);
  const code = script.createCachedData();
  writeFileSync(cacheFile, Buffer.concat([headerOf(source, code), code]));
}

/** `undefined`: there is no cache for this program and this release of Node, or it is damaged. */
function readCode(source: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(cacheFile);
    const code = bytes.subarray(headerBytes);
    return headerOf(source, code).equals(bytes.subarray(0, headerBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function headerOf(source: Buffer, code: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(crc32(source), 0);
  header.writeUInt32LE(crc32(code), 4);
  return header;
}

const requireHere = createRequire(__filename);

function compile(source: Buffer, cachedData?: Buffer): { program: typeof Program; script: Script } {
  const options = { filename: file, ...(cachedData && { cachedData }) };
  const script = new Script(Module.wrap(source.toString('utf8')), options);
  const module = { exports: {} };
  const run = script.runInThisContext() as (...names: unknown[]) => void;
  run(module.exports, requireHere, module, file, __dirname);
  return { program: module.exports as typeof Program, script };
}
