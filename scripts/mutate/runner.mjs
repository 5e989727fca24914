import { relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { createNodeTest } from './node-test.mjs';

/** What the mutated code shares with this runner: the active mutant, and which test reached which mutants. */
const shared = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/**
 * A test runner of Stryker for `node:test`. It runs the tests in the process of the runner: a process for each mutant and test
 * file would take ten times as long. Each run loads the bundle of a file anew, so that nothing is left of an earlier mutant in it.
 *
 * The module of a test file counts as a test of this name. The mutants that it reaches while it loads, or in the hooks of its
 * suites, concern all of its tests.
 */
class NodeTestRunner {
  /** In the order in which they run. */
  #files = JSON.parse(process.env.MUTATE_TESTS);
  #loads = 0;
  /** What the running bundle imports as `node:test`. */
  #nodeTest;
  /** Receives errors that no test can catch. */
  #crashed = () => undefined;

  constructor() {
    const getBuiltinModule = process.getBuiltinModule.bind(process);
    process.getBuiltinModule = (name) => (name === 'node:test' && this.#nodeTest) || getBuiltinModule(name);
    for (const event of ['uncaughtException', 'unhandledRejection'])
      process.on(event, (error) => this.#crashed(error ?? new Error('it has no error')));
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    shared.mutantCoverage = { static: {}, perTest: {} };
    const tests = await this.#run({ names: undefined, isBailing: false });
    return { status: DryRunStatus.Complete, tests, mutantCoverage: shared.mutantCoverage };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter, disableBail }) {
    Object.assign(shared, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    try {
      const tests = await this.#run({
        names: testFilter,
        isBailing: !disableBail,
        first: mirrorOf(activeMutant.fileName),
      });
      const limited = determineHitLimitReached(shared.hitCount, hitLimit);
      return toMutantRunResult(limited ?? { status: DryRunStatus.Complete, tests });
    } finally {
      Object.assign(shared, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    }
  }

  /**
   * @param names Of the tests to run. Default: all.
   * @param first The file that runs first.
   */
  async #run({ names, isBailing, first }) {
    const results = [];
    const files = this.#files.toSorted((a, b) => Number(b === first) - Number(a === first));
    for (const file of files) {
      const own = names?.filter((name) => name === file || name.startsWith(`${file} > `));
      if (own?.length === 0) continue;
      const wanted = own === undefined || own.includes(file) ? undefined : new Set(own);
      results.push(...(await this.#runFile(file, { wanted, isBailing })));
      if (isBailing && results.some(({ status }) => status === TestStatus.Failed)) break;
    }
    return results;
  }

  async #runFile(file, { wanted, isBailing }) {
    const results = [];
    let startedAt = performance.now();
    const add = (id, { error, isSkipped = false }) => {
      const common = { id, name: id, fileName: resolve(file), timeSpentMs: performance.now() - startedAt };
      const failureMessage = String(error?.message ?? error);
      if (error !== undefined) results.push({ ...common, status: TestStatus.Failed, failureMessage });
      else results.push({ ...common, status: isSkipped ? TestStatus.Skipped : TestStatus.Success });
    };
    const { api, run } = createNodeTest();
    this.#nodeTest = api;
    shared.currentTestId = file;
    try {
      const crash = new Promise((_, reject) => (this.#crashed = reject));
      const { href } = pathToFileURL(resolve('mutated', file.replace(/\.ts$/, '.mjs')));
      await Promise.race([import(`${href}?${this.#loads++}`), crash]);
      add(file, {});
      await run({
        wants: (name) => wanted?.has(`${file} > ${name}`) ?? true,
        guard: (fail) => (this.#crashed = fail),
        started: (name) => {
          startedAt = performance.now();
          shared.currentTestId = `${file} > ${name}`;
        },
        ended: (name, result) => {
          add(shared.currentTestId, result);
          shared.currentTestId = file;
          return !isBailing || result.error === undefined;
        },
      });
    } catch (error) {
      add(file, { error: error ?? new Error('it has no error') });
    }
    return results;
  }
}

/** The test file of a source, which probably notices its mutants. */
function mirrorOf(fileName) {
  const source = relative(process.cwd(), fileName).replaceAll('\\', '/');
  const [, path = ''] = /^.*\bsrc\/(.*)\.ts$/.exec(source) ?? [];
  return `test/${path}.test.ts`;
}

export const strykerPlugins = [
  { kind: PluginKind.TestRunner, name: 'node:test', injectableClass: NodeTestRunner },
];
