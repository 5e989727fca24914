import { parentPort, workerData } from 'node:worker_threads';
import { Coverage } from './coverage.ts';
import { createFractions } from '../support/random.ts';
import { mutate } from './mutate.ts';
import { BrokenRule, check } from './rules.ts';
import { SharedInput } from './shared-input.ts';
import { targets } from './targets.ts';

/** What {@link ThreadMessage}s of this thread are about. */
export interface ThreadTask {
  readonly name: string;
  readonly seed: number;
  /** Inputs to begin with. */
  readonly corpus: readonly Uint8Array[];
  /** When to stop, in milliseconds since 1970. */
  readonly until: number;
  readonly shared: SharedArrayBuffer;
}

export type ThreadMessage =
  | { readonly kept: Uint8Array }
  | { readonly broken: string; readonly input: Uint8Array }
  | { readonly coverage: number };

/** Of kept inputs, in bytes: a longer one would make each input after it slow. */
const maxKeptLength = 4096;

// Fuzzes one target: what reaches something new is kept, and changed again.
const { name, seed, corpus, until, shared } = workerData as ThreadTask;
const target = targets[name];
if (target === undefined) throw new Error(`no target is called ${name}`);
const current = new SharedInput(shared);
const coverage = new Coverage();
const random = createFractions(seed);
const tokens = target.tokens.map((token) =>
  Buffer.from(token, /^[\0-\xff]*$/.test(token) ? 'latin1' : 'utf8'),
);
const kept: Uint8Array[] = [];
const send = (message: ThreadMessage) => parentPort?.postMessage(message);

async function examine(input: Uint8Array): Promise<void> {
  if (target === undefined) return;
  current.set(input);
  try {
    await check(target, input);
  } catch (error) {
    if (!(error instanceof BrokenRule)) throw error;
    send({ broken: error.message, input });
  }
  if (coverage.take() === 0 || input.length > maxKeptLength) return;
  kept.push(input);
  send({ kept: input });
}

for (const input of corpus) await examine(input);
if (kept.length === 0) kept.push(new Uint8Array(0));
/** Prefers the inputs that were kept last. */
const pick = () => {
  const at = random() < 0.5 ? random() * kept.length : kept.length - random() ** 2 * kept.length;
  return kept[Math.min(Math.floor(at), kept.length - 1)] ?? new Uint8Array(0);
};
while (Date.now() < until) await examine(mutate(pick(), { random, tokens, other: pick() }));
send({ coverage: coverage.size });
