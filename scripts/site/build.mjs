import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

/**
 * `npm run docs`: builds the documents as a static site. A link that leads nowhere is an error, and so is a page that loads
 * something from another host.
 *
 *   node scripts/site/build.mjs [--base PATH] [--output FOLDER]
 *
 * `--base` is the path of the site on its host, with slashes around it.
 */
const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, output: { type: 'string' } },
});
const root = join(import.meta.dirname, '../..');
const output = resolve(values.output ?? join(root, 'scripts/site/dist'));
const generated = join(root, 'scripts/site/pages');

if (!existsSync(join(root, 'scripts/site/node_modules'))) {
  const { npm_execpath: npm } = process.env;
  if (npm === undefined)
    throw new Error('the packages of the site are missing; run `npm --prefix scripts/site ci`');
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync(process.execPath, [npm, '--prefix', 'scripts/site', ...options], {
    cwd: root,
    stdio: 'inherit',
  });
}
const { build } = await import('vitepress');
const { inspectSite } = await import('./check.mjs');
const { createHttpPages } = await import('./http-pages.mjs');
const { writeLibraryPages } = await import('./library-pages.mjs');

/** The OpenAPI document of a service that has every endpoint. */
async function readOpenApi() {
  const { createServer } = await import('../../dist/index.js');
  const server = await createServer({
    secretToken: 'signs nothing: this service answers one request',
    authUsername: 'librarian',
    authPassword: 'opens nothing: nobody logs in',
    databaseUrl: 'memory:',
    page: true,
    metrics: true,
    storePassword: () => undefined,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const response = await globalThis.fetch(`http://127.0.0.1:${server.address().port}/openapi.json`);
  const document = await response.json();
  await once(server.close(), 'close');
  return document;
}

/** The first page of the site: the index of the documents, with links from its place. The search finds the original. */
function writeFirstPage() {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const moved = index.replaceAll(/\]\(([^):]+)\)/g, (_, link) => `](${posix.join('docs', link)})`);
  writeFileSync(join(generated, 'index.md'), `---\nsearch: false\n---\n\n${moved}`);
}

/** Programs get each document as Markdown, at the address of its page with `.md`, and a list of them (llmstxt.org). */
function writeTexts() {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const names = inDocs
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const lines = ['README.md', ...names.sort(), 'CHANGELOG.md'].map((name) => {
    const target = join(output, name);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, name), target);
    const [, title] = /^# (.*)$/m.exec(readFileSync(target, 'utf8'));
    return `- [${title}](${values.base}${name})`;
  });
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(output, 'llms.txt'), `# shelflist\n\n> ${description}\n\n${lines.join('\n')}\n`);
}

rmSync(generated, { recursive: true, force: true });
await writeLibraryPages(root, join(generated, 'library'));
mkdirSync(join(generated, 'http'), { recursive: true });
for (const [name, text] of createHttpPages(await readOpenApi()))
  writeFileSync(join(generated, 'http', name), text);
writeFirstPage();

await build(join(root, 'scripts/site'), { base: values.base, outDir: output });
writeTexts();
const { pages, links, faults } = inspectSite(output, values.base);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
process.stdout.write(`${output} has ${pages.length} pages with ${links} links\n`);
