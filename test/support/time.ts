import { mock } from 'node:test';
import type { Scope } from './temp.ts';

/** The clocks of this process, as a test sets them. */
export interface FakeTime {
  /** Time passes. */
  readonly pass: (ms: number) => void;
  /** The clock of the system is set, from its right time: no time passes. */
  readonly jump: (ms: number) => void;
}

/** Takes the clocks of this process over until the end of the test. */
export function fakeTime(scope: Scope): FakeTime {
  let passed = 0;
  let jumped = 0;
  const { Date } = globalThis;
  const { now } = Date;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [target.now()] : args) as Date,
  });
  const system = mock.method(Date, 'now', () => now() + passed + jumped);
  const monotonic = performance.now.bind(performance);
  const other = mock.method(performance, 'now', () => monotonic() + passed);
  scope.after(() => {
    globalThis.Date = Date;
    system.mock.restore();
    other.mock.restore();
  });
  return {
    pass: (ms) => {
      passed += ms;
    },
    jump: (ms) => {
      jumped = ms;
    },
  };
}
