import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../support/packed.ts';

interface Component {
  name: string;
  purl: string;
  hashes?: unknown;
  licenses?: unknown;
}

const path = join(root, 'scripts/release/sbom.mjs');
const { sbomOf } = (await import(pathToFileURL(path).href)) as {
  sbomOf: (kind: string, source: object) => { components: Component[] };
};

const rule = `\n${'-'.repeat(80)}\n\n`;
const digest = Buffer.alloc(64, 7);
const source = {
  manifest: { name: 'shelflist', version: '1.2.3', license: 'MIT' },
  lock: {
    packages: {
      '': {},
      'node_modules/commander': {
        version: '14.0.0',
        license: 'MIT',
        dev: true,
        integrity: `sha512-${digest.toString('base64')}`,
      },
      'node_modules/@scope/store': { version: '2.0.0', license: '(MIT AND Zlib)' },
      'node_modules/@scope/store/node_modules/part': { version: '1.0.0', license: 'ISC' },
      'node_modules/eslint': { version: '9.0.0', license: 'MIT', dev: true },
    },
  },
  licenses: ['commander\n\nMIT License …', 'node 26.10.0\n\nNode.js is licensed …'].join(rule),
};
const namesIn = (kind: 'package' | 'image' | 'program', given = source) =>
  sbomOf(kind, given).components.map(({ purl }) => purl);

describe('a bill of materials', () => {
  test('of the package has what is bundled and what is installed with it, not what only develops it', () => {
    assert.deepEqual(namesIn('package', { ...source, licenses: 'commander\n\nMIT License …' }), [
      'pkg:npm/%40scope/store@2.0.0',
      'pkg:npm/part@1.0.0',
      'pkg:npm/commander@14.0.0',
    ]);
  });

  test('of a program has what is bundled, and Node', () => {
    assert.deepEqual(namesIn('program'), ['pkg:npm/commander@14.0.0', 'pkg:generic/node@26.10.0']);
  });

  test('has the digest and the licence of each package', () => {
    const { components } = sbomOf('image', source);
    const commander = components.find(({ name }) => name === 'commander') ?? assert.fail();
    assert.deepEqual(commander.hashes, [{ alg: 'SHA-512', content: digest.toString('hex') }]);
    assert.deepEqual(commander.licenses, [{ license: { id: 'MIT' } }]);
    const store = components.find(({ name }) => name === '@scope/store') ?? assert.fail();
    assert.deepEqual(store.licenses, [{ expression: '(MIT AND Zlib)' }]);
  });

  test('is the same bytes for the same source', () => {
    assert.equal(JSON.stringify(sbomOf('image', source)), JSON.stringify(sbomOf('image', source)));
  });

  test('is refused if a bundled package is not in the lock file', () => {
    assert.throws(() => sbomOf('program', { ...source, licenses: 'unknown\n\n…' }), {
      message: 'node_modules/unknown is bundled, and not in package-lock.json',
    });
  });
});
