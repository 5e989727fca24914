import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { checkBudget } from '../../support/budgets.ts';
import { cleanEnvironment, serve, settings } from '../../support/cli.ts';
import { root } from '../../support/packed.ts';
import { ask, attribute, browse, browserAccept } from '../../support/page.ts';
import { credentials, secretToken } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temp.ts';

const app = `
  import { createServer } from 'shelflist';
  createServer({
    secretToken: '${secretToken}', authUsername: '${credentials.username}', authPassword: '${credentials.password}',
    databaseUrl: 'memory:', page: true,
  }).then((server) => server.listen(0, '127.0.0.1', () => console.log(server.address().port)));`;

/** The script of a page, as a service sends it. */
async function scriptOf(url: string): Promise<string> {
  const page = await browse(url);
  const [script = assert.fail()] = page.all('script');
  const { status, text } = await ask(new URL(attribute(script, 'src') ?? '', url).href);
  assert.equal(status, 200);
  return text;
}

describe('the built page', () => {
  test('is in an app that a bundler put into one file', async (t) => {
    const [source, place] = [await temporaryFolder(t), await temporaryFolder(t)];
    await writeFile(join(source, 'app.mjs'), app);
    buildSync({
      entryPoints: [join(source, 'app.mjs')],
      outfile: join(source, 'bundle.cjs'),
      alias: { shelflist: join(root, 'dist/index.js') },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      // The drivers that this app does not use.
      external: ['mongodb', '@photostructure/sqlite'],
      logLevel: 'silent',
    });
    await copyFile(join(source, 'bundle.cjs'), join(place, 'app.cjs')); // Nothing is beside it.
    const child = spawn(process.execPath, ['app.cjs'], {
      cwd: place,
      env: cleanEnvironment(place),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(async () => {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    });
    const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
    const script = await scriptOf(`http://127.0.0.1:${port}/`);
    assert.ok(script.length > 1000);
  });

  test('is the one in dist/page, with one script and one style at the start, under 60 KB compressed by gzip', async (t) => {
    const folder = join(root, 'dist/page');
    const all = await readdir(folder);
    const kinds = new Set(all.map((name) => name.replace(/(-\w+)+/, '')));
    assert.deepEqual([...kinds].sort(), [
      'app.css',
      'app.js',
      'duplicates.js',
      'export.js',
      'format.js',
      'highlight.js',
      'import.js',
      'isbn.js',
      'texts.js',
      'viewer.js',
      'views.js',
    ]);
    const names = all.filter((name) => name.startsWith('app-'));
    assert.equal(names.length, 2);
    const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
    const size = files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
    checkBudget('first view of the page, bytes', size);
    const service = await serve(t, await temporaryFolder(t), { ...settings, DATABASE_URL: 'memory:' });
    const script = await scriptOf(`${service.url}/`);
    assert.ok(files.some((bytes) => bytes.toString() === script));
  });

  test('is not served with PAGE=false', async (t) => {
    const env = { ...settings, DATABASE_URL: 'memory:', PAGE: 'false' };
    const service = await serve(t, await temporaryFolder(t), env);
    const { status, text } = await ask(service.url, { headers: { Accept: browserAccept } });
    assert.deepEqual([status, text], [404, '{"status":404,"message":"Not found","data":null}']);
  });
});
