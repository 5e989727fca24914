import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { readDocument } from '../../support/documents.ts';
import { root, run } from '../../support/packed.ts';
import { cacheFolder, pythonPackage } from '../../support/tools.ts';

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

const workflows = ['release.yml', 'test.yml'].map((name) => `.github/workflows/${name}`);

describe('each workflow', () => {
  test('is all that there is', () => {
    const found = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
    assert.deepEqual(found.sort(), workflows);
  });

  test('pins each action to a commit, names its version, and uses only those of GitHub', () => {
    for (const name of workflows) {
      const actions = [...readDocument(name).matchAll(/\buses: (.+)/g)].map(([, action = '']) => action);
      assert.ok(actions.length > 1, name);
      for (const action of actions) assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('passes zizmor', async (context) => {
    const folder = await pythonPackage(
      'zizmor-1.32.0',
      'zizmor==1.32.0 --hash=sha256:84a6acb975accc13408786a2bd274b572537ca19c933ebbc13e78f3988562071',
    );
    if (folder === undefined) {
      context.skip('zizmor cannot be installed here');
      return;
    }
    const args = ['--offline', '--no-progress', join(root, '.github')];
    const { code, stdout } = await run(join(folder, 'bin/zizmor'), args, { cwd: root });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /No findings to report/);
  });

  test('passes actionlint', async (context) => {
    // The gate compiles it there, where there is Go: a test must not wait for that.
    const program = join(cacheFolder(), 'actionlint-1.7.12/actionlint');
    if (!existsSync(program)) {
      context.skip('actionlint is not installed');
      return;
    }
    const { code, stdout } = await run(program, workflows, { cwd: root });
    assert.deepEqual([code, stdout], [0, '']);
  });
});

test('the workflow of tests has no right but to read, and runs the gate', () => {
  const text = readDocument('.github/workflows/test.yml');
  assert.match(text, /^permissions: \{\}$/m);
  assert.doesNotMatch(text, /: write|secrets\./);
  assert.match(text, /- run: \.ci\/run$/m);
});

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

  test('gives no job a right by default, and each job no more than it needs', () => {
    assert.match(workflow, /^permissions: \{\}$/m);
    const rights = Array.from(jobs, ([name, text]) => {
      const block = /^ {4}permissions:\n((?: {6}.+\n)+)/m.exec(text)?.[1] ?? assert.fail(name);
      return [name, Array.from(block.matchAll(/^ +([\w-]+): write/gm), ([, right]) => right)];
    });
    const published = ['id-token', 'attestations'];
    assert.deepEqual(Object.fromEntries(rights), {
      ...{ check: [], test: [], gate: [], long: [], package: [], executables: [] },
      stage: ['id-token'],
      image: ['packages', ...published],
      release: ['contents', ...published],
    });
  });

  test('publishes nothing before the tests, nor in a rehearsal, nor with a stored token', () => {
    for (const name of ['stage', 'image', 'release'])
      assert.match(jobOf(name), /^ {4}if: github\.event_name == 'push'$/m, name);
    assert.deepEqual(listIn(jobOf('stage'), 'needs'), ['package', 'executables']);
    assert.deepEqual(listIn(jobOf('release'), 'needs'), ['stage', 'image']);
    for (const name of ['package', 'executables', 'image'])
      assert.deepEqual(listIn(jobOf(name), 'needs'), ['test', 'gate', 'long']);
    for (const name of ['test', 'gate', 'long']) assert.match(jobOf(name), /^ {4}needs: check$/m);
    assert.doesNotMatch(workflow, /secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
    assert.match(jobOf('stage'), /npm-cli\.js stage publish /);
    assert.doesNotMatch(workflow, /npm publish/);
  });
});
