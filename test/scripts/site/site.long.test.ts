import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { openPage, skip as noBrowser } from '../../support/browser.ts';
import { documents } from '../../support/documents.ts';
import { root, run } from '../../support/packed.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const skip =
  !existsSync(join(root, 'scripts/site/node_modules')) &&
  'the packages of the site are not installed (npm --prefix scripts/site ci)';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
};

/** Serves the files of a folder; gives the address. */
async function serveFiles(scope: Scope, folder: string): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://host');
    const path = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const isThere = existsSync(path);
    response.writeHead(isThere ? 200 : 404, { 'Content-Type': types[extname(path)] ?? 'text/plain' });
    response.end(isThere ? readFileSync(path) : '');
  });
  scope.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the documents as a site', { skip }, async () => {
  if (skip !== false) return;
  const folder = await temporaryFolder({ after });
  // Fails for links and anchors that lead nowhere; `test/scripts/site/check.lint.test.ts` shows that it sees them.
  const built = await run(process.execPath, ['scripts/site/build.mjs', '--output', folder], {
    cwd: root,
    env: process.env,
  });

  test('is built, without a dead link or anchor, and without a request to another host', () => {
    assert.equal(built.code, 0, built.stdout + built.stderr);
    const [, pages, links] = /has (\d+) pages with (\d+) links\n$/.exec(built.stdout) ?? [];
    assert.ok(Number(pages) > 100 && Number(links) > 10_000, built.stdout);
  });

  test('has each document as Markdown, too, and lists them in llms.txt', () => {
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8');
    const listed = [...list.matchAll(/\]\(\/([^)]+\.md)\)/g)].map(([, name = '']) => name);
    assert.ok(listed.length > 20);
    for (const name of listed)
      assert.equal(readFileSync(join(folder, name), 'utf8'), readFileSync(join(root, name), 'utf8'));
  });

  test('has a page for each document', () => {
    const inSite = documents.filter((name) => name !== 'bench/README.md');
    for (const name of inSite) assert.ok(existsSync(join(folder, name.replace(/md$/, 'html'))), name);
    assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), /href="\/docs\/damage\.html"/);
  });

  test('has a page for each function of the library, and each operation of the HTTP API', () => {
    const read = (name: string) => readFileSync(join(folder, 'reference', name), 'utf8');
    assert.match(read('library/shelflist/functions/createFetchHandler.html'), /FetchHandler/);
    const client = read('library/shelflist/interfaces/Client.html').replace(/<[^>]+>/g, '');
    assert.match(client, /update\(/);
    assert.doesNotMatch(client, /\.\.\.args/);
    const level = read('library/shelflist/client/type-aliases/DuplicateLevel.html').replace(/<[^>]+>/g, '');
    assert.match(level, /DuplicateLevel = .{0,60}(?:"|&quot;)same/s);
    const index = read('http/index.html');
    for (const operation of ['POST /token', 'GET /books', 'PUT /book/{id}', 'GET /metrics', 'POST /password'])
      assert.ok(index.includes(operation), operation);
  });

  test(
    'finds a function of the library, and loads nothing from elsewhere',
    { skip: noBrowser },
    async (t) => {
      const page = await openPage(t, `${await serveFiles(t, folder)}/docs/library.html`);
      await page.locator('.VPNavBarSearch button').click();
      await page.locator('#localsearch-input').fill('createFetchHandler');
      const first = page.locator('#localsearch-list a[href*="createFetchHandler"]').first();
      await first.click();
      await page.waitForURL('**/reference/library/shelflist/functions/createFetchHandler.html*');
      await page.locator('h1', { hasText: 'createFetchHandler' }).waitFor(); // The address changes first.
    },
  );

  test('finds what an operator looks for by its usual name', { skip: noBrowser }, async (t) => {
    const page = await openPage(t, `${await serveFiles(t, folder)}/docs/library.html`);
    await page.locator('.VPNavBarSearch button').click();
    await page.locator('#localsearch-input').fill('rate limit');
    await page.locator('#localsearch-list a[href*="operations.html#rate-limits"]').first().waitFor();
  });
});
