import { URL } from 'node:url';
import { readFileSync } from 'node:fs';
import * as modules from 'node:module';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/**
 * Loads the modules of the project from the folder of `compiled.ts`, so that no process of a test run compiles. Addresses of
 * modules, and lines in stack traces, are those of the sources.
 */
const root = new URL('../../', import.meta.url).href;

// Node 20 runs the hook in a thread of its own, which loads this module again.
if ('registerHooks' in modules) modules.registerHooks({ load });
else if (isMainThread) modules.register(import.meta.url);

export function load(url, context, nextLoad) {
  if (!url.startsWith(root)) return nextLoad(url, context);
  const [, name] = /^([^?]*)\.tsx?(\?.*)?$/.exec(url.slice(root.length)) ?? [];
  if (name !== undefined) return moduleOf(readFileSync(`${process.env.COMPILED_FOLDER}/${name}.js`));
  if (!url.endsWith('.json') || context.importAttributes?.type !== undefined) return nextLoad(url, context);
  // As bundlers do: a property of a JSON file can be imported by its name.
  const text = readFileSync(new URL(url), 'utf8');
  const names = Object.keys(JSON.parse(text)).filter((key) => /^[a-z]+$/i.test(key));
  return moduleOf(`const json = ${text};\nexport default json;\nexport const { ${names.join()} } = json;`);
}

const moduleOf = (source) => ({ format: 'module', source, shortCircuit: true });
