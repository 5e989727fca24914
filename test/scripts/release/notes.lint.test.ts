import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { version } from '../../../package.json';
import { readDocument } from '../../support/documents.ts';
import { root, run } from '../../support/packed.ts';

/** Scripts of a release have no types. */
interface Scripts {
  notesOf: (changelog: string, version: string) => string;
  problemsOf: (release: { tag: string; manifest: object; changelog: string; repository: string }) => string[];
}
const load = (name: string) =>
  import(pathToFileURL(join(root, 'scripts/release', name)).href) as Promise<Scripts>;
const { notesOf } = await load('notes.mjs');
const { problemsOf } = await load('check.mjs');

const changelog = `# Changelog

## [Unreleased]

### Added

- A shelf.

## [1.1.0] - 2026-11-28

### Fixed

- A page. See [1.0.0].

## [1.0.0-rc.1] - 2026-11-01

### Added

- Books.

## [0.9.0] - 2026-10-01

[1.0.0]: https://host.example/1.0.0
`;

describe('the notes of a release', () => {
  const table: [version: string, notes: string][] = [
    ['1.1.0', '### Fixed\n\n- A page. See [1.0.0].\n'],
    ['1.0.0-rc.1', '### Added\n\n- Books.\n'],
  ];
  for (const [version, notes] of table)
    test(`of ${version} are what the changelog has below its heading`, () => {
      assert.equal(notesOf(changelog, version), notes);
    });

  const refused: [version: string, reason: RegExp][] = [
    ['1.0.0', /no heading "## \[1\.0\.0\]"/],
    ['Unreleased', /no date/],
    ['0.9.0', /lists no change/],
  ];
  for (const [version, reason] of refused)
    test(`of ${version} are refused: ${reason.source}`, () => {
      assert.throws(() => notesOf(changelog, version), reason);
    });

  test('are printed for the version of package.json, without its heading', async () => {
    const { code, stdout } = await run(process.execPath, ['scripts/release/notes.mjs', version], {
      cwd: root,
    });
    assert.deepEqual([code, stdout], [0, notesOf(readDocument('CHANGELOG.md'), version)]);
  });
});

describe('the release of a tag', () => {
  const manifest = {
    version: '1.1.0',
    repository: { type: 'git', url: 'git+https://host.example/owner/shelflist.git' },
  };
  const release = { tag: 'v1.1.0', manifest, changelog, repository: 'owner/shelflist' };
  const table: [what: string, change: Partial<typeof release>, problem: RegExp | undefined][] = [
    ['the version of package.json, with notes', {}, undefined],
    ['another version', { tag: 'v1.2.0' }, /tag v1\.1\.0/],
    ['a package without a repository', { manifest: { version: '1.1.0' } as never }, /no "repository"/],
    ['a fork', { repository: 'another/shelflist' }, /this runs in another\/shelflist/],
    ['a version without notes', { changelog: '' }, /no heading/],
  ];
  for (const [what, change, problem] of table)
    test(`${problem === undefined ? 'begins for' : 'is refused for'} ${what}`, () => {
      const problems = problemsOf({ ...release, ...change });
      assert.equal(problems.length, problem === undefined ? 0 : 1, problems.join('\n'));
      if (problem !== undefined) assert.match(problems[0] ?? '', problem);
    });
});
