import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { readDocument } from '../../support/documents.ts';
import { root } from '../../support/packed.ts';

const workflow = readDocument('.github/workflows/release.yml');

/** The text of each job, by its name. Without a parser of YAML: a key of `jobs` is indented by two spaces. */
const jobs = new Map(
  (workflow.split('\njobs:\n')[1] ?? '')
    .split(/^(?= {2}\w+:$)/m)
    .map((text) => [/^ {2}(\w+):/.exec(text)?.[1] ?? '', text]),
);
const jobOf = (name: string) => jobs.get(name) ?? assert.fail(`there is no job ${name}`);
const listIn = (text: string, key: string) =>
  (new RegExp(`^ +${key}: \\[(.+)\\]$`, 'm').exec(text)?.[1] ?? assert.fail(`there is no ${key}`))
    .split(', ')
    .map((item) => item.replaceAll("'", ''));

describe('the workflow of a release', () => {
  test('runs scripts and files that exist', () => {
    const scripts = [...workflow.matchAll(/\bnpm (?:run ([\w:]+)|(test)\b)/g)].map(
      ([, script, name]) => script ?? name ?? '',
    );
    assert.ok(scripts.includes('executable') && scripts.includes('test'));
    for (const script of scripts) assert.ok(Object.hasOwn(manifest.scripts, script), script);
    const files = [...workflow.matchAll(/(?<![\w./])((?:scripts|deploy|docs|\.ci)\/[\w./-]+)/g)].map(
      ([, file = '']) => file,
    );
    assert.ok(files.length >= 4);
    for (const file of files) assert.ok(existsSync(join(root, file)), file);
  });

  test('tests the lowest Node of package.json and the README, and each later line', () => {
    const lines = listIn(jobOf('test'), 'node');
    const lowest = /^>=(\d+\.\d+)$/.exec(manifest.engines.node)?.[1] ?? assert.fail(manifest.engines.node);
    assert.equal(lines[0], lowest);
    assert.match(
      readDocument('README.md'),
      new RegExp(`\\[Node\\]\\(https://nodejs\\.org\\) ${lowest} or later`),
    );
    assert.deepEqual(lines.slice(1), ['22', '24', '26']);
    const documented = /Node ([\d., and]+) on Linux, macOS and Windows/.exec(
      readDocument('docs/releasing.md'),
    );
    assert.deepEqual(documented?.[1]?.match(/[\d.]+/g), lines);
  });

  test('tests three systems', () => {
    assert.deepEqual(listIn(jobOf('test'), 'system'), ['ubuntu-latest', 'macos-latest', 'windows-latest']);
  });

  test('pins each action by its major version, and uses only those of GitHub', () => {
    const actions = [...workflow.matchAll(/\buses: (\S+)/g)].map(([, action = '']) => action);
    assert.ok(actions.length > 10);
    for (const action of actions) assert.match(action, /^actions\/[\w-]+@v\d+$/);
  });

  test('gives no job a right by default, and each job no more than it needs', () => {
    assert.match(workflow, /^permissions: \{\}$/m);
    const rights = Array.from(jobs, ([name, text]) => {
      const block = /^ {4}permissions:\n((?: {6}.+\n)+)/m.exec(text)?.[1] ?? assert.fail(name);
      return [name, Array.from(block.matchAll(/^ +([\w-]+): write/gm), ([, right]) => right)];
    });
    const published = ['id-token', 'attestations'];
    assert.deepEqual(Object.fromEntries(rights), {
      ...{ check: [], test: [], gate: [], long: [], package: [], executables: [] },
      publish: ['id-token'],
      image: ['packages', ...published],
      release: ['contents', ...published],
    });
  });

  test('publishes nothing before the tests, nor in a rehearsal, nor with a stored token', () => {
    for (const name of ['publish', 'image', 'release'])
      assert.match(jobOf(name), /^ {4}if: github\.event_name == 'push'$/m, name);
    assert.deepEqual(listIn(jobOf('publish'), 'needs'), ['package', 'executables']);
    assert.deepEqual(listIn(jobOf('release'), 'needs'), ['publish', 'image']);
    for (const name of ['package', 'executables', 'image'])
      assert.deepEqual(listIn(jobOf(name), 'needs'), ['test', 'gate', 'long']);
    for (const name of ['test', 'gate', 'long']) assert.match(jobOf(name), /^ {4}needs: check$/m);
    assert.doesNotMatch(workflow, /secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
    assert.match(jobOf('publish'), /npm publish .*--provenance/);
  });
});
