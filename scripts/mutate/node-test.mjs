import { mock as ownMock } from 'node:test';

const MockTracker = ownMock.constructor;

/**
 * The part of `node:test` that the tests use. It runs in this process, so the tests of a module can run again and again without a
 * new process. They run one after another.
 *
 * @returns {{ api: object, run: (observer: Observer) => Promise<void> }} What modules import as `node:test`, and a function that
 * runs what they have defined.
 *
 * @typedef {object} Observer
 * @property {(name: string) => boolean} wants Whether to run a test. Its name includes those of its suites.
 * @property {(name: string) => void} started The hooks of all tests of a suite count as before and after its tests.
 * @property {(name: string, result: { error?: unknown, isSkipped: boolean }) => boolean} ended Whether to go on.
 * @property {(fail: (error: unknown) => void) => void} guard Receives the function that makes the running test fail.
 */
export function createNodeTest() {
  const root = createSuite('', undefined);
  let suite = root;

  function describe(name, ...rest) {
    const { options, fn } = readArguments(rest);
    const inner = createSuite(name, suite);
    inner.isSkipped = isSkipped(options);
    suite.entries.push(inner);
    if (inner.isSkipped || fn === undefined) return;
    [suite, inner.outer] = [inner, suite];
    try {
      inner.defined = fn();
    } finally {
      suite = inner.outer;
    }
  }
  function test(name, ...rest) {
    const { options, fn } = readArguments(rest);
    suite.entries.push({ name, fn, suite, isSkipped: isSkipped(options) || fn === undefined });
  }
  for (const define of [describe, test]) {
    define.skip = (name) => define(name, { skip: true });
    define.todo = define.skip;
  }
  const hooks = Object.fromEntries(
    ['before', 'after', 'beforeEach', 'afterEach'].map((kind) => [kind, (fn) => void suite[kind].push(fn)]),
  );
  const api = { ...hooks, describe, it: test, mock: ownMock, suite: describe, test };

  return {
    api: { ...api, default: test },
    run: async (observer) => {
      await runSuite(root, observer);
      ownMock.reset();
    },
  };
}

function createSuite(name, outer) {
  return { name, outer, entries: [], before: [], after: [], beforeEach: [], afterEach: [] };
}

function readArguments(rest) {
  const fn = rest.find((value) => typeof value === 'function');
  const options = rest.find((value) => typeof value === 'object') ?? {};
  return { options, fn };
}

function isSkipped({ skip = false, todo = false }) {
  return skip !== false || todo !== false;
}

/** The suites around a test or suite, the outermost first. */
function pathOf({ suite, outer = suite }) {
  return outer === undefined ? [] : [...pathOf(outer), outer];
}

function nameOf(entry) {
  return [...pathOf(entry).map(({ name }) => name), entry.name].filter(Boolean).join(' > ');
}

function testsOf(entry) {
  return entry.entries === undefined ? [entry] : entry.entries.flatMap(testsOf);
}

/** @returns {Promise<boolean>} Whether to go on. */
async function runSuite(suite, observer) {
  await suite.defined;
  const isWanted = (entry) => testsOf(entry).some((test) => observer.wants(nameOf(test)));
  let goesOn = true;
  try {
    // The hooks at the top of a file clean up what the module itself has started.
    if (isWanted(suite)) for (const hook of suite.before) await hook();
    for (const entry of suite.entries) {
      if (!goesOn) break;
      if (!isWanted(entry)) continue;
      goesOn = entry.entries === undefined ? await runTest(entry, observer) : await runSuite(entry, observer);
    }
  } finally {
    for (const hook of suite.after) await hook();
  }
  return goesOn;
}

async function runTest(test, observer) {
  const name = nameOf(test);
  observer.started(name);
  if (test.isSkipped) return observer.ended(name, { isSkipped: true });
  const suites = pathOf(test);
  const context = createContext(name);
  let result = { isSkipped: false };
  try {
    for (const suite of suites) for (const hook of suite.beforeEach) await hook(context.api);
    await Promise.race([context.run(test.fn), new Promise((_, reject) => observer.guard(reject))]);
  } catch (error) {
    result = { error, isSkipped: false };
  }
  try {
    await context.end();
    for (const suite of suites.reverse()) for (const hook of suite.afterEach) await hook(context.api);
  } catch (error) {
    result = { error, ...result };
  }
  return observer.ended(name, result);
}

/** The context that a test receives. A nested test runs as a part of it. */
function createContext(name) {
  const cleanUp = [];
  const each = { beforeEach: [], afterEach: [] };
  const mock = new MockTracker();
  const { signal } = new globalThis.AbortController();
  const api = {
    name,
    fullName: name,
    mock,
    signal,
    after: (fn) => void cleanUp.push(fn),
    beforeEach: (fn) => void each.beforeEach.push(fn),
    afterEach: (fn) => void each.afterEach.push(fn),
    diagnostic: () => undefined,
    skip: () => undefined,
    test: async (inner, ...rest) => {
      const { options, fn } = readArguments(rest);
      if (isSkipped(options) || fn === undefined) return;
      const context = createContext(`${name} > ${inner}`);
      for (const hook of each.beforeEach) await hook(context.api);
      try {
        await context.run(fn);
      } finally {
        await context.end();
        for (const hook of each.afterEach) await hook(context.api);
      }
    },
  };
  return {
    api,
    run: (fn) => fn(api),
    end: async () => {
      for (const fn of cleanUp) await fn(api);
      mock.reset();
    },
  };
}
