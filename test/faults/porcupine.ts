// A second opinion on histories: Porcupine, an independent checker, with a specification of its own (`porcupine/book.go`).
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { ChangeKind } from '../../src/catalogue/changes.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';
import { cacheFolder } from '../support/tools.ts';
import { isRead, type BookOperation } from './book-specification.ts';
import type { Operation } from './linearizability.ts';

/** All that clients did with a book, and the changes that the feed has of it. */
export interface BookHistory {
  readonly name: string;
  readonly operations: readonly Operation<BookOperation>[];
  readonly feed: readonly ChangeKind[];
}

/** A history, and whether our own checker has explained it. */
export interface CheckedHistory extends BookHistory {
  readonly isLinearizable: boolean;
}

/** Answers for each history whether it is linearizable. */
export type Porcupine = (histories: readonly BookHistory[]) => Promise<boolean[]>;

/** Builds the checker; needs Go, and the network for the first download of its module. */
export async function buildPorcupine(scope: Scope): Promise<Porcupine | { readonly skip: string }> {
  const program = join(await temporaryFolder(scope), 'porcupine');
  const cwd = join(import.meta.dirname, 'porcupine');
  try {
    await promisify(execFile)('go', ['build', '-mod=readonly', '-o', program, '.'], { cwd });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    return { skip: code === 'ENOENT' ? 'there is no Go here' : `Go cannot build Porcupine: ${stderr}` };
  }
  return async (histories) => {
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.on('error', () => undefined); // The program ends early only after an error, which it prints.
    child.stdin.end(histories.map((history) => `${formatHistory(history)}\n`).join(''));
    const verdicts = (await text(child.stdout)).split('\n').slice(0, -1);
    assert.equal(verdicts.length, histories.length, 'Porcupine has not judged each history');
    return verdicts.map((verdict, i) => {
      assert.match(verdict, /^(?:Ok|Illegal)$/, `${histories[i]?.name}: Porcupine has no verdict`);
      return verdict === 'Ok';
    });
  };
}

/**
 * Compares the verdicts of both checkers; does nothing without Porcupine.
 *
 * @throws {AssertionError} They differ. It names a file with these histories.
 */
export async function compareOpinions(
  porcupine: Porcupine | { readonly skip: string },
  histories: readonly CheckedHistory[],
): Promise<void> {
  if ('skip' in porcupine) return;
  const verdicts = await porcupine(histories);
  const disputed = histories.filter(({ isLinearizable }, i) => isLinearizable !== verdicts[i]);
  if (disputed.length === 0) return;
  const folder = join(cacheFolder(), 'disputed-histories');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}.jsonl`);
  writeFileSync(file, disputed.map((history) => `${formatHistory(history)}\n`).join(''));
  const [first] = disputed;
  const [ours, theirs] = first?.isLinearizable === true ? ['is', 'is not'] : ['is not', 'is'];
  assert.fail(
    `${first?.name} ${ours} linearizable by our checker, and ${theirs} by Porcupine; ${file} has all ${disputed.length} such histories`,
  );
}

/** A history as `porcupine/main.go` reads it. The changes of the feed count as one more read of the book, after all answers. */
function formatHistory({ operations, feed }: BookHistory): string {
  const times = operations.flatMap(({ begin, end }) => (end === Infinity ? begin : end));
  const end = times.reduce((latest, each) => Math.max(latest, each), 0) + 1;
  return JSON.stringify([
    ...operations.map(({ detail, begin, end }) => {
      const { result, ...sent } = detail;
      return { ...sent, begin, end: end === Infinity ? null : end, answer: answerOf(detail, result) };
    }),
    { call: 'feed', begin: end, end, answer: feed },
  ]);
}

/** The words of our histories as those of the contract. */
const words: Readonly<Record<string, string>> = {
  missing: 'not found',
  none: 'not found',
  differs: 'precondition failed',
  other: 'undone',
};

function answerOf(detail: BookOperation, result: unknown): unknown {
  if (isRead(detail)) return result ?? null;
  return typeof result === 'string' ? (words[result] ?? result) : result;
}
