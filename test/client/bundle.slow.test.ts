import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { exampleBook } from '../../src/catalogue/book.ts';
import { checkBudget } from '../support/budgets.ts';
import { startService } from '../support/service.ts';

/** Bundles `shelflist/client` of the build for browsers, into one file. */
async function bundle(globalName?: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../dist/client.js')],
    bundle: true,
    platform: 'browser', // A module of Node would not resolve.
    format: globalName === undefined ? 'esm' : 'iife',
    ...(globalName !== undefined && { globalName }),
    target: 'es2022',
    minify: true,
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

test('shelflist/client has under 11.5 KB, bundled alone, minified and compressed by gzip', async () => {
  checkBudget('client, bytes', gzipSync(await bundle(), { level: 9 }).length);
});

test('shelflist/client works with the globals of browsers alone', async (t) => {
  const { url, token } = await startService(t, { databaseUrl: 'memory:' });
  const web = {
    AbortController,
    AbortSignal,
    URL,
    URLSearchParams,
    atob,
    clearTimeout,
    crypto,
    fetch,
    performance,
  };
  const context = createContext({ ...web, TextDecoder, setTimeout, settings: { url, token } });
  const script = Buffer.from(await bundle('shelflist')).toString();
  const use = `
    const client = shelflist.createClient({ url: settings.url, token: settings.token });
    client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 })
      .then(({ id }) => client.get(id))
      .then(JSON.stringify);`;
  const book = (await runInContext(script + use, context)) as string;
  assert.deepEqual(JSON.parse(book), { id: 1, ...exampleBook });
});
