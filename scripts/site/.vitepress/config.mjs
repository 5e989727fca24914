import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitepress';

/** The checkout. The site reads the documents where they are. */
const root = join(import.meta.dirname, '../../..');

const read = (path) => readFileSync(join(root, path), 'utf8');
/** The first heading, without code marks and anchors. */
const titleOf = (path) => /^# (.*?)(?: \{#.*\})?$/m.exec(read(path))[1].replace(/[`\\]/g, '');
/** The address of a document. `build.mjs` generates those in `scripts/site/pages`. */
const link = (path) =>
  `/${path.replace(/^scripts\/site\/pages\//, 'reference/').replace(/(index)?\.md$/, '')}`;
const item = (path, text = titleOf(path)) => ({ text, link: link(path) });
/** The pages of a folder, an `index.md` first. */
const pagesIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => Number(b === 'index.md') - Number(a === 'index.md') || a.localeCompare(b, 'en'))
    .map((name) => `${folder}/${name}`);

/** The guides, in the order in which the index names them first. */
function guides() {
  const named = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)/g)].map(([, name]) => `docs/${name}`);
  const paths = ['README.md', ...named, ...pagesIn('docs'), 'CONTRIBUTING.md'];
  return [...new Set(paths)].filter((path) => path !== 'docs/README.md').map((path) => item(path));
}

/** The exports of one entry point, by kind. */
function library(name) {
  const folder = `scripts/site/pages/library/${name}`;
  const kinds = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !existsSync(join(root, folder, entry.name, 'index.md')))
    .map((entry) => ({
      text: entry.name.replace('-', ' '),
      collapsed: true,
      items: pagesIn(`${folder}/${entry.name}`).map((path) => item(path, basename(path, '.md'))),
    }));
  return { text: name, link: link(`${folder}/index.md`), collapsed: true, items: kinds };
}

export default defineConfig({
  title: 'shelflist',
  description: 'A book catalogue: an HTTP service, a library for Node apps, and a command-line client.',
  lang: 'en',
  srcDir: root,
  outDir: join(root, 'scripts/site/dist'),
  cacheDir: join(root, 'scripts/site/.vitepress/cache'),
  srcExclude: readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['docs', 'scripts'].includes(entry.name))
    .map((entry) => `${entry.name}/**`),
  buildConcurrency: 1, // In order: else the search index and highlighted code differ between builds.
  // `build.mjs` makes the first page from the index of the documents.
  rewrites: { 'scripts/site/pages/index.md': 'index.md', 'scripts/site/pages/:path(.*)': 'reference/:path' },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Library', link: link('docs/library.md') },
      { text: 'HTTP API', link: link('docs/http-api.md') },
      { text: 'Changes', link: link('CHANGELOG.md') },
    ],
    sidebar: [
      { text: 'Find your task', link: '/' },
      { text: 'Guides', items: guides() },
      {
        text: 'In your framework',
        collapsed: true,
        items: pagesIn('docs/embedding').map((path) => item(path)),
      },
      {
        text: 'HTTP API: reference',
        collapsed: true,
        items: pagesIn('scripts/site/pages/http').map((path) =>
          item(path, path.endsWith('index.md') ? 'Overview' : titleOf(path).replace(/^HTTP API: /, '')),
        ),
      },
      {
        text: 'Library: reference',
        collapsed: true,
        items: ['', '/client', '/formats', '/store', '/store-suite'].map((name) =>
          library(`shelflist${name}`),
        ),
      },
      { text: 'Decisions', collapsed: true, items: pagesIn('docs/decisions').map((path) => item(path)) },
    ],
  },
});
