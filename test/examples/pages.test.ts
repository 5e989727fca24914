import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { documents, readDocument } from '../support/documents.ts';
import { root } from '../support/packed.ts';

/** A block that shows a whole file names it behind its language: Markdown shows the code, and not the name. */
const shown = /^(```\w+ (examples\/.+)\n)([^]*?)(?<=\n)```$/gm;
const pages = documents.filter((name) => name.startsWith('docs/embedding/'));
const filesOf = (page: string) => Array.from(readDocument(page).matchAll(shown), ([, , path = '']) => path);

describe('the pages of frameworks show files of examples/, which tests run', () => {
  for (const page of pages)
    test(`${page} has the code of its files (UPDATE_SNAPSHOTS=1 writes it)`, () => {
      const written = readDocument(page);
      const expected = written.replace(
        shown,
        (_block, opening: string, path: string) =>
          `${opening}${readFileSync(join(root, path), 'utf8').trimEnd()}\n\`\`\``,
      );
      if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(join(root, page), expected);
      else assert.equal(written, expected);
      assert.ok(filesOf(page).length > 0);
    });

  test('each app of examples/ is on a page', () => {
    const others = ['chores.sh', 'supertest.test.js', 'README.md', 'package.json', 'package-lock.json'];
    const apps = readdirSync(join(root, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !others.includes(entry.name))
      .map(({ name }) => `examples/${name}`);
    assert.ok(apps.length > 8);
    assert.deepEqual(
      apps.filter((path) => !pages.flatMap(filesOf).includes(path)),
      [],
    );
  });

  test('the overview links to each page', () => {
    const overview = readDocument('docs/embedding/index.md');
    for (const page of pages) {
      const name = page.replace('docs/embedding/', '');
      if (name !== 'index.md') assert.ok(overview.includes(`](${name})`), name);
    }
  });
});
