import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { notesOf } from './notes.mjs';

/**
 * Finds what forbids the release of a tag.
 *
 * @param release.tag `v` and a version.
 * @param release.manifest The contents of `package.json`.
 * @param release.repository The repository that runs the release, as `OWNER/NAME`.
 * @returns Sentences, each with its remedy; none if the release may begin.
 */
export function problemsOf({ tag, manifest, changelog, repository }) {
  const { version, private: isPrivate, repository: declared } = manifest;
  const problems = [];
  if (tag !== `v${version}`)
    problems.push(`the tag ${tag} is not the version of package.json; tag v${version}`);
  if (isPrivate === true) problems.push('package.json is private; remove "private"');
  const url = typeof declared === 'string' ? declared : declared?.url;
  if (!url)
    problems.push(
      'package.json has no "repository"; npm compares it with the provenance: see docs/releasing.md',
    );
  else if (!url.replace(/\.git$/, '').endsWith(`/${repository}`))
    problems.push(`"repository" of package.json is ${url}, but this runs in ${repository}; correct it`);
  try {
    notesOf(changelog, version);
  } catch (error) {
    problems.push(error.message);
  }
  return problems;
}

/** `node scripts/release/check.mjs TAG` fails unless the tag may be released. `GITHUB_REPOSITORY` names the repository. */
if (resolve(process.argv[1] ?? '') === import.meta.filename) {
  const read = (name) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
  const problems = problemsOf({
    tag: process.argv[2],
    manifest: JSON.parse(read('package.json')),
    changelog: read('CHANGELOG.md'),
    repository: process.env.GITHUB_REPOSITORY ?? '',
  });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
