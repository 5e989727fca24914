import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..');
const documents = ['README.md', 'SECURITY.md', 'CHANGELOG.md', ...filesIn('docs', '.md'), 'bench/README.md'];

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

/** What a document links to in the project. */
function linksOf(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => resolve(root, dirname(document), link));
}

describe('every link in the project leads somewhere', () => {
  for (const document of documents) {
    test(document, () => {
      assert.deepEqual(
        linksOf(document).filter((path) => !existsSync(path)),
        [],
      );
    });
  }
});

/** The tests that it names. */
function testsOf(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, file = '']) => file);
}

const promising = ['SECURITY.md', 'docs/reliability.md'];

test('every test that a promise names is there', () => {
  const missing = promising.flatMap(testsOf).filter((file) => !existsSync(join(root, file)));
  assert.deepEqual(missing, []);
});

test('every test of faults stands beside the promise that it holds', () => {
  const named = promising.flatMap(testsOf);
  const without = filesIn('test/faults', '.test.ts').filter((file) => !named.includes(file));
  assert.deepEqual(without, []);
});

test('every promise in a table stands beside a test', () => {
  for (const document of promising) {
    const rows = readFileSync(join(root, document), 'utf8').match(/^\|.*\|$/gm) ?? [];
    const promises = rows.filter(
      (row) => !/^\| *(-|when|promise|risk)/.test(row) && !row.includes('| no: nothing'),
    );
    assert.ok(promises.length > 8);
    for (const row of promises) assert.match(row, /`test\/\S+\.ts`/, row);
  }
});
