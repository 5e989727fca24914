import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** What each room may import of the others; what is not named here may import nothing of ours. */
const allowed: Record<string, readonly string[]> = {
  'errors.ts': [],
  'json-array.ts': ['lib'],
  'json-lines.ts': ['lib'],
  'latest.ts': [],
  'network.ts': [],
  'origin.ts': [],
  'new-file.ts': [],
  'book.ts': ['errors.ts'],
  'envelope.ts': ['errors.ts'],
  'config.ts': ['envelope.ts', 'network.ts', 'origin.ts', 'errors.ts'],
  auth: ['auth', 'latest.ts', 'errors.ts'],
  query: ['query', 'book.ts', 'errors.ts'],
  lib: ['lib'],
  store: ['store', 'query', 'lib', 'book.ts', 'latest.ts', 'new-file.ts', 'errors.ts'],
  server: [
    'lib',
    'server',
    'store',
    'query',
    'auth',
    'envelope.ts',
    'json-array.ts',
    'json-lines.ts',
    'network.ts',
    'origin.ts',
    'book.ts',
    'errors.ts',
  ],
  client: ['client', 'query', 'envelope.ts', 'json-array.ts', 'book.ts', 'errors.ts'],
  'index.ts': ['lib', 'server', 'store', 'client', 'query', 'book.ts', 'errors.ts'],
  cli: [
    'cli',
    'lib',
    'server',
    'store',
    'client',
    'query',
    'auth',
    'config.ts',
    'new-file.ts',
    'json-array.ts',
    'json-lines.ts',
    'book.ts',
    'errors.ts',
  ],
};

/** The files or the folder that may import a driver, so that it can be exchanged there and is loaded only with it. */
const soleImporters: Record<string, readonly string[]> = {
  jose: ['src/auth/tokens.ts'],
  '@photostructure/sqlite': ['src/store/sqlite/binding.ts'],
  mongodb: ['src/store/mongodb/'],
};

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(root, 'src', name));

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name ?? '');
}

describe('imports point one way', () => {
  for (const file of files) {
    const [room = ''] = relative(join(root, 'src'), file).split(/[\\/]/);
    test(relative(root, file), () => {
      for (const name of importsOf(file).filter((each) => each.startsWith('.'))) {
        const [target = ''] = relative(join(root, 'src'), resolve(dirname(file), name)).split(/[\\/]/);
        if (target === '..') assert.match(name, /package\.json$/);
        else assert.ok(allowed[room]?.includes(target), `${room} may not import ${target}`);
      }
    });
  }
});

for (const [driver, importers] of Object.entries(soleImporters)) {
  test(`${driver} is imported in its own place only`, () => {
    const found = files
      .filter((file) => importsOf(file).some((name) => name === driver || name.startsWith(`${driver}/`)))
      .map((file) => relative(root, file));
    assert.ok(found.length > 0);
    for (const file of found)
      assert.ok(
        importers.some((place) => file.startsWith(place)),
        file,
      );
  });
}
