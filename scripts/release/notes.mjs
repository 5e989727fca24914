import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

/**
 * Cuts the notes of one version out of a changelog in the format of Keep a Changelog: the text below its heading.
 *
 * @throws {Error} The version has no heading, no date, or no text.
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.startsWith(`[${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no heading "## [${version}]"; add one`);
  const [heading] = section.split('\n', 1);
  if (!/^\[.+\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(`"## ${heading}" has no date; write "## [${version}] - YYYY-MM-DD"`);
  const notes = section
    .slice(heading.length)
    .replace(/^\[[^\]]+\]: .*$/gm, '') // Addresses of headings, at the end of the file.
    .trim();
  if (!/^- /m.test(notes)) throw new Error(`"## ${heading}" lists no change`);
  return `${notes}\n`;
}

/** `node scripts/release/notes.mjs VERSION` prints the notes. */
if (resolve(process.argv[1] ?? '') === import.meta.filename) {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  process.stdout.write(notesOf(changelog, process.argv[2]));
}
