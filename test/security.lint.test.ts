import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { codeIn, readDocument, tableOf } from './support/documents.ts';

/** The numbers of all requirements of levels 1 and 2, such as `V1.2.3`, in their order. */
const requirements = readFileSync(join(import.meta.dirname, 'security.requirements.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('V'));

/** `V1.2.3`, `V1.2.3-5`, `V1.2` (a section) or `V1` (a chapter), which stand for the requirements that exist among them. */
const notation = /\bV(\d+)(?:\.(\d+)(?:\.(\d+)(?:-(\d+))?)?)?\b/g;

function requirementsIn(text: string): string[] {
  return [...text.matchAll(notation)].flatMap(([name, chapter, section, first, last]) => {
    if (first === undefined) return requirements.filter((each) => each.startsWith(`${name}.`));
    const from = `V${chapter}.${section}.${first}`;
    if (last === undefined) return [from];
    // Both ends must exist: a range does not hide a wrong number.
    const [start, end] = [from, `V${chapter}.${section}.${last}`].map((each) => requirements.indexOf(each));
    assert.ok(start !== undefined && end !== undefined && start >= 0 && start < end, name);
    return requirements.slice(start, end + 1);
  });
}

describe('the assessment by OWASP ASVS 5.0 in docs/security.md', () => {
  test('has each requirement of levels 1 and 2 once, and no other', () => {
    assert.equal(requirements.length, 253);
    const text = readDocument('docs/security.md');
    assert.deepEqual(requirementsIn(text).sort(), [...requirements].sort());
  });

  test('names a test for each requirement that is met, and a remedy for each that is not', () => {
    const rows = tableOf('docs/security.md', 'requirement');
    assert.ok(rows.length > 80);
    for (const { requirement, evidence, gap, ...row } of rows) {
      if (gap === undefined)
        assert.ok(
          codeIn(evidence).some((code) => /^test\/.+\.test\.ts$/.test(code)),
          requirement,
        );
      else assert.notEqual(row['what the operator can do'] ?? '', '', requirement);
    }
  });
});
