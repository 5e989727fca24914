import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../support/packed.ts';
import { temporaryFolder } from '../../support/temp.ts';

/** Scripts of the site have no types. */
interface Script {
  inspectSite: (folder: string, base?: string) => { pages: string[]; links: number; faults: string[] };
}
const { inspectSite } = (await import(pathToFileURL(join(root, 'scripts/site/check.mjs')).href)) as Script;

describe('the check of the built site', () => {
  const table: [what: string, html: string, fault: string | undefined][] = [
    ['a page', '<a href="/guide.html">', undefined],
    ['a page beside it', '<a href="./guide.html">', undefined],
    ['the page of a folder', '<a href="/docs/">', undefined],
    ['a file', '<img src="/images/page.png">', undefined],
    ['an anchor of its own', '<h2 id="use"><a href="#use">', undefined],
    ['an anchor of another page', '<a href="/guide.html#d%C3%A9but">', undefined],
    ['another host, when a reader follows it', '<a href="https://host.example/">', undefined],
    ['a missing page', '<a href="/gone.html">', 'links to /gone.html, which is not there'],
    ['a missing file', '<img src="gone.png">', 'links to gone.png, which is not there'],
    ['a missing anchor of its own', '<a href="#gone">', 'links to #gone, which is not there'],
    [
      'a missing anchor of another page',
      '<a href="guide.html#gone">',
      'links to guide.html#gone, which is not there',
    ],
    [
      'a script of another host',
      '<script src="https://host.example/a.js"></script>',
      'loads https://host.example/a.js from another host',
    ],
    [
      'a font of another host',
      '<link rel="preload stylesheet" href="//host.example/a.css">',
      'loads //host.example/a.css from another host',
    ],
  ];
  for (const [what, html, fault] of table)
    test(`${fault === undefined ? 'accepts' : 'reports'} ${what}`, async (t) => {
      const folder = await temporaryFolder(t);
      const files = {
        'index.html': html,
        'guide.html': '<h2 id="début">',
        'docs/index.html': '',
        'images/page.png': '',
      };
      for (const [name, contents] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), contents);
      }
      const { pages, faults } = inspectSite(folder);
      assert.deepEqual(pages, ['docs/index.html', 'guide.html', 'index.html']);
      assert.deepEqual(faults, fault === undefined ? [] : [`index.html ${fault}`]);
    });

  test('below a base, reports a link that leaves it', async (t) => {
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'index.html'), '<a href="/shelflist/"><a href="/">');
    assert.deepEqual(inspectSite(folder, '/shelflist/').faults, [
      'index.html links to /, which is not there',
    ]);
  });
});
