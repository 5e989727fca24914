import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readDocument, tableOf } from './support/documents.ts';
import { root } from './support/packed.ts';

/** The success criteria of WCAG 2.2. */
const criteria = {
  A: [
    ...['1.1.1', '1.2.1', '1.2.2', '1.2.3', '1.3.1', '1.3.2', '1.3.3', '1.4.1', '1.4.2'],
    ...['2.1.1', '2.1.2', '2.1.4', '2.2.1', '2.2.2', '2.3.1', '2.4.1', '2.4.2', '2.4.3', '2.4.4'],
    ...['2.5.1', '2.5.2', '2.5.3', '2.5.4', '3.1.1', '3.2.1', '3.2.2', '3.2.6'],
    ...['3.3.1', '3.3.2', '3.3.7', '4.1.2'],
  ],
  AA: [
    ...[
      '1.2.4',
      '1.2.5',
      '1.3.4',
      '1.3.5',
      '1.4.3',
      '1.4.4',
      '1.4.5',
      '1.4.10',
      '1.4.11',
      '1.4.12',
      '1.4.13',
    ],
    ...['2.4.5', '2.4.6', '2.4.7', '2.4.11', '2.5.7', '2.5.8'],
    ...['3.1.2', '3.2.3', '3.2.4', '3.3.3', '3.3.4', '3.3.8', '4.1.3'],
  ],
};

const document = 'docs/accessibility.md';
const rows = [...tableOf(document, 'criterion'), ...tableOf(document, 'clause')];

describe('the conformance report in docs/accessibility.md', () => {
  test('has each criterion of WCAG 2.2, levels A and AA, once', () => {
    assert.equal(criteria.A.length + criteria.AA.length, 55);
    for (const [level, expected] of Object.entries(criteria)) {
      const [, section = ''] = readDocument(document).split(`## WCAG 2.2, level ${level}\n`);
      const [table = ''] = section.split('\n## ', 1);
      const named = Array.from(table.matchAll(/^\| (\d+\.\d+\.\d+) /gm), ([, number]) => number);
      assert.deepEqual(named, expected, level);
    }
  });

  test('has an answer and a remark in each row', () => {
    const answers = ['Supports', 'Partially Supports', 'Does Not Support', 'Not Applicable'];
    assert.ok(rows.length > 75);
    for (const { conformance = '', remarks = '', ...row } of rows) {
      assert.ok(answers.includes(conformance), JSON.stringify(row));
      assert.notEqual(remarks, '', JSON.stringify(row));
    }
  });

  test('names for each answer a test that exists, by a part of its title, or says that there is none', () => {
    for (const row of rows) {
      const cell = row.test ?? '';
      const named = [...cell.matchAll(/`(test\/[^`]+\.test\.ts)` “([^”]+)”/g)];
      if (named.length === 0) assert.equal(cell, row.conformance === 'Not Applicable' ? '' : 'not tested');
      assert.equal(named.length, (cell.match(/`/g) ?? []).length / 2, cell);
      for (const [, file = '', title = ''] of named) {
        assert.ok(existsSync(join(root, file)), file);
        const source = readFileSync(join(root, file), 'utf8');
        assert.ok(source.includes(title), `${file} has no test “${title}”`);
      }
    }
  });
});
