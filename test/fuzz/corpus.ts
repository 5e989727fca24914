import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, 'corpus');

/** The inputs of a target that reached something new, when it was fuzzed: `corpus/NAME.gz`, with a text of Latin-1 for each. */
export function readCorpus(name: string): Uint8Array[] {
  const file = readdirSync(folder).find((each) => each === `${name}.gz`);
  if (file === undefined) return [];
  const texts = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()) as string[];
  return texts.map((text) => Buffer.from(text, 'latin1'));
}

export function writeCorpus(name: string, inputs: readonly Uint8Array[]): void {
  const texts = inputs.map((input) => Buffer.from(input).toString('latin1'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.gz`), gzipSync(JSON.stringify(texts), { level: 9 }));
}

/** The inputs that have once broken a rule: `corpus/NAME/WHAT.gz`. */
export function readFailures(name: string): { readonly what: string; readonly input: Uint8Array }[] {
  const isKept = readdirSync(folder).includes(name);
  return (isKept ? readdirSync(join(folder, name)) : []).map((file) => ({
    what: file.replace(/\.gz$/, ''),
    input: gunzipSync(readFileSync(join(folder, name, file))),
  }));
}

/** Keeps an input that breaks a rule. Returns its path. */
export function writeFailure(name: string, what: string, input: Uint8Array): string {
  const path = join(folder, name, `${what}.gz`);
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(path, gzipSync(input, { level: 9 }));
  return path;
}
