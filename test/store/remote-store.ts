import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ShelflistError, type ErrorCode } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { compiledPath } from '../support/compiled-path.ts';
import type { Scope } from '../support/temp.ts';

type Question = 'statistics' | 'suggest' | 'corrections';

/** The calls of a test to a store that another process has open. */
export type RemoteStore = Pick<
  CompleteStore,
  'create' | 'get' | 'update' | 'delete' | 'find' | 'count' | 'version' | Question
>;

export interface Call {
  readonly number: number;
  readonly name: keyof RemoteStore;
  readonly args: readonly unknown[];
}

export interface Reply {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: { readonly code: ErrorCode | undefined; readonly message: string };
}

const names = [
  ...(['create', 'get', 'update', 'delete', 'find', 'count', 'version'] as const),
  ...(['statistics', 'suggest', 'corrections'] as const),
];

/** Opens a store in a process of its own, which ends with the test. */
export async function openElsewhere(
  scope: Scope,
  url: string,
): Promise<{ store: RemoteStore; child: ChildProcess }> {
  const child = fork(compiledPath(join(import.meta.dirname, '../support/store-process.ts')), [url], {
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  scope.after(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('the process ended before it had opened the store');
    }),
  ]);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  child.on('message', ({ number, value, error }: Reply) => {
    const call = waiting.get(number);
    waiting.delete(number);
    if (error === undefined) call?.resolve(value);
    else call?.reject(error.code ? new ShelflistError(error.code, error) : new Error(error.message));
  });
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the process has ended'));
  });
  let calls = 0;
  const methods = names.map((name) => [
    name,
    (...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        const number = ++calls;
        waiting.set(number, { resolve, reject });
        child.send({ number, name, args } satisfies Call);
      }),
  ]);
  return { store: Object.fromEntries(methods) as RemoteStore, child };
}
