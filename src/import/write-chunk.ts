// Writes a chunk: compares its rows with the catalogue, then adds and updates books, safe to repeat.
import { hasSameFields, type Book, type BookFields } from '../catalogue/book.ts';
import { duplicateKey, normalizeForComparison } from '../catalogue/duplicates.ts';
import { hasCode, type ErrorCode } from '../catalogue/errors.ts';
import type { Client } from '../client/client.ts';
import { eachAtOnce } from '../lib/semaphore.ts';
import type { RowProblem } from '../formats/problems.ts';
import { type BookChange, compare, hasId, readKey, type MatchedRow } from './match.ts';
import { EarlierRows } from './repeats.ts';
import type { BookRow } from './row.ts';

/** What to do with a row whose book the catalogue has already. A repeat of an earlier row is left out, unless rows are added. */
export const duplicateChoices = ['skip', 'update', 'add'] as const;
export type OnDuplicate = (typeof duplicateChoices)[number];

/** Why a row is left out. */
interface LeftOut {
  readonly problem: RowProblem;
}

/** What became of a row; of a dry run, what would. `unchanged`: the book with its id is as it says. */
export type Result = 'added' | 'updated' | 'unchanged' | 'skipped' | LeftOut;

/** What became of a chunk. */
export interface Written {
  readonly results: readonly (Result | undefined)[];
  /** The failure of a request, unless it is repeated (`onFailure`). */
  readonly failure: { readonly error: unknown } | undefined;
}

export type ImportClient = Pick<Client, 'createMany' | 'lookup' | 'getTagged' | 'update'>;

export interface WriteOptions {
  /** `undefined` if no service is needed: in a dry run that adds every row. */
  readonly client: ImportClient | undefined;
  /** The batch id: undoing it takes back the whole import. */
  readonly batch: string;
  /** The rows of the files before, if the batch has several. */
  readonly earlier?: EarlierRows | undefined;
  /** The name of the file, if the batch has several. */
  readonly file?: string | undefined;
  readonly onDuplicate: OnDuplicate;
  readonly dryRun: boolean;
  /** Ends a comparison. A write that was begun is not ended: what it has done is then known. */
  readonly signal: AbortSignal;
  /** Called after a request failed: resolves when it is to be sent again, else rejects. Default: the import ends. */
  readonly onFailure?: ((error: unknown) => Promise<void>) | undefined;
  /** Called with each change of a matched book that a dry run finds. */
  readonly onChange: (row: BookRow, change: BookChange) => void;
}

/** What is to be done with a row. It is decided once, so that it can be repeated after a failure. */
export type Plan = { readonly done: Result; readonly text?: string } | AddPlan | UpdatePlan | ChangePlan;
/** @property text Equal for rows that are duplicates; `undefined` if every row is added. */
interface AddPlan {
  readonly add: BookFields;
  readonly text: string | undefined;
}
interface UpdatePlan {
  readonly update: number;
  readonly fields: BookFields;
  readonly text: string;
}
interface ChangePlan {
  readonly match: MatchedRow;
  readonly found?: BookChange;
}
type LookupItem = { readonly id: number } | BookFields;

/** A service keeps the key of a request for 24 hours: a later repeat could add its books twice. */
const maxRepeatMs = 23 * 3_600_000;

/** The number of rows that the service looks up in one request. */
const maxLookedUp = 1000;

/** Changes of single books in flight: the service writes them together. */
const maxInFlight = 32;

/** Compares chunks of rows with the catalogue, and writes them to it. Chunks must come in the order of the file. */
export class ChunkWriter {
  /** The ids that the service gave to the added books, in the order of the rows. */
  readonly ids: number[] = [];
  readonly #options: WriteOptions;
  readonly #earlier: EarlierRows;
  /** The texts of the chunk that is on its way. */
  #pending: ReadonlySet<string> = new Set();
  #isChanging = false;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: WriteOptions) {
    this.#options = options;
    this.#earlier = options.earlier ?? new EarlierRows();
  }

  /**
   * Decides what to do with rows: with one request, if the catalogue is to be asked. The chunk before may still be on its way: if
   * one of its rows is repeated, this waits until it is known whether that is stored.
   *
   * @throws What a request throws.
   */
  async plan(rows: readonly BookRow[]): Promise<Plan[]> {
    const { dryRun, onChange } = this.#options;
    const plans = await this.#planAll(rows);
    if (dryRun)
      for (const [i, plan] of plans.entries()) {
        const row = rows[i];
        if ('match' in plan && plan.found !== undefined && row !== undefined) onChange(row, plan.found);
      }
    return plans;
  }

  /** @returns The result of each row; after a failure, `undefined` for those that may not be done. */
  write(plans: readonly Plan[]): Promise<Written> {
    this.#pending = new Set(
      plans.flatMap((plan) => ('text' in plan && plan.text !== undefined ? plan.text : [])),
    );
    this.#isChanging = plans.some((plan) => 'match' in plan);
    const writing = this.#write(plans);
    this.#writing = writing;
    return writing;
  }

  async #write(plans: readonly Plan[]): Promise<Written> {
    const { client, dryRun } = this.#options;
    const results = new Map<Plan, Result>();
    let failure: Written['failure'];
    for (const plan of plans)
      if ('done' in plan) results.set(plan, plan.done);
      else if (dryRun || client === undefined) results.set(plan, 'add' in plan ? 'added' : 'updated');
    try {
      if (!dryRun && client !== undefined) await this.#send(client, plans, results);
    } catch (error) {
      failure = { error };
    }
    for (const plan of plans)
      if ('text' in plan && plan.text !== undefined && typeof results.get(plan) === 'string')
        this.#earlier.texts.add(plan.text);
    return { results: plans.map((plan) => results.get(plan)), failure };
  }

  async #planAll(rows: readonly BookRow[]): Promise<Plan[]> {
    const seenHere = new Set<string>();
    const alone = rows.map((row) => this.#planAlone(row, seenHere));
    const isPending = (plan: Plan) =>
      'text' in plan && plan.text !== undefined && this.#pending.has(plan.text);
    const isNew = (plan: Plan) => 'add' in plan && plan.text !== undefined;
    // A book that is changed may become the same as a new one.
    if (alone.some(isPending) || (this.#isChanging && alone.some(isNew))) await this.#writing;
    const isSeen = (plan: Plan) =>
      'add' in plan && plan.text !== undefined && this.#earlier.texts.has(plan.text);
    const plans = alone.map((plan): Plan => (isSeen(plan) ? { done: 'skipped' } : plan));
    const asked = plans.filter(
      (plan): plan is AddPlan | ChangePlan => 'match' in plan || ('add' in plan && plan.text !== undefined),
    );
    const wanted = asked.map((plan) => ('match' in plan ? { id: plan.match.id } : plan.add));
    const found = await this.#lookUp(wanted);
    const books = new Map<Plan, Book | undefined>(asked.map((plan, i) => [plan, found[i]]));
    return plans.map((plan) => (books.has(plan) ? this.#compare(plan, books.get(plan)) : plan));
  }

  /** Decides what needs no request. Rows with an `id`, and new ones that may be duplicates, need one. */
  #planAlone(row: BookRow, seenHere: Set<string>): Plan {
    if ('problem' in row) return { done: { problem: row.problem } };
    const { fields, key } = row;
    if (key !== undefined && hasId(key)) return this.#planMatch(row, readKey(key, fields));
    if (this.#options.onDuplicate === 'add') return { add: fields, text: undefined };
    const text = duplicateKey(normalizeForComparison(fields));
    if (seenHere.has(text) || this.#earlier.texts.has(text)) return { done: 'skipped' };
    seenHere.add(text);
    return { add: fields, text };
  }

  #planMatch({ line, unit }: BookRow, match: MatchedRow | LeftOut): Plan {
    if ('problem' in match) return { done: match };
    const { ids } = this.#earlier;
    const first = ids.get(match.id);
    if (first !== undefined) return { done: { problem: { code: 'repeatedId', ...first } } };
    ids.set(match.id, { unit, line, file: this.#options.file });
    return { match };
  }

  #compare(plan: Plan, book: Book | undefined): Plan {
    if ('match' in plan) {
      const { match } = plan;
      if (book === undefined) return { done: { problem: { code: 'unknownId', id: match.id } } };
      const found = compare(match, book);
      return typeof found === 'object' && 'patch' in found
        ? { match, found: { now: book, patch: found.patch } }
        : { done: found };
    }
    if (!('add' in plan) || plan.text === undefined || book === undefined) return plan;
    const { add: fields, text } = plan;
    if (this.#options.onDuplicate === 'skip' || hasSameFields(fields, book)) return { done: 'skipped', text };
    return { update: book.id, fields, text };
  }

  async #lookUp(wanted: readonly LookupItem[]): Promise<readonly (Book | undefined)[]> {
    const { client, signal } = this.#options;
    if (wanted.length === 0 || client === undefined) return [];
    const look = (some: readonly LookupItem[]) => this.#attempt(() => client.lookup(some, { signal }));
    const found: (Book | undefined)[] = [];
    for (let start = 0; start < wanted.length; start += maxLookedUp) {
      const some = wanted.slice(start, start + maxLookedUp);
      // What is too long for a request is too long for the catalogue.
      found.push(...(await inParts(some, look, () => undefined)));
    }
    return found;
  }

  async #send(client: ImportClient, plans: readonly Plan[], results: Map<Plan, Result>): Promise<void> {
    const added = plans.filter((plan) => 'add' in plan);
    const name = `${this.#options.batch}.${this.#earlier.chunks++}`;
    const note = (plan: Plan, result: Result) => {
      results.set(plan, result);
      return result;
    };
    await inParts(
      added,
      async (some, part) => {
        const created = await this.#create(client, some, name + part);
        return some.map((plan, i) => note(plan, created[i] ?? 'added'));
      },
      (error, plan) => note(plan, refusal(error)),
    );
    const changes = plans.filter((plan) => 'update' in plan || 'match' in plan);
    await this.#attempt(() =>
      eachAtOnce(
        changes.filter((plan) => !results.has(plan)),
        maxInFlight,
        async (plan) => note(plan, await this.#change(client, plan)),
      ),
    );
  }

  /** Adds books in their order. A repetition with the same key stores nothing twice. */
  async #create(
    client: ImportClient,
    plans: readonly AddPlan[],
    idempotencyKey: string,
  ): Promise<readonly Result[]> {
    if (plans.length === 0) return [];
    const { batch } = this.#options;
    const books = plans.map(({ add }) => add);
    const { ids, rejected } = await this.#attempt(
      () => client.createMany(books, { batch, idempotencyKey }),
      Date.now() + maxRepeatMs,
    );
    for (const id of ids) this.ids.push(id);
    const messages = new Map(rejected.map(({ line, message }) => [line - 1, message]));
    return plans.map((_, i) => {
      const message = messages.get(i);
      return message === undefined ? 'added' : { problem: { code: 'refused', message } };
    });
  }

  async #change(client: ImportClient, plan: UpdatePlan | ChangePlan): Promise<Result> {
    const { batch } = this.#options;
    const id = 'update' in plan ? plan.update : plan.match.id;
    try {
      if ('match' in plan) return await changeMatched(client, plan.match, batch);
      await client.update(id, plan.fields, { batch });
      return 'updated';
    } catch (error) {
      if (!hasCode(error, 'book_not_found')) return refusal(error);
      return { problem: { code: 'match' in plan ? 'unknownId' : 'deletedMeanwhile', id } };
    }
  }

  /** Makes a request until it succeeds, or nobody wants it any more. @param endMs When it must not be repeated any more. */
  async #attempt<T>(request: () => Promise<T>, endMs = Infinity): Promise<T> {
    for (;;)
      try {
        return await request();
      } catch (error) {
        const { signal, onFailure } = this.#options;
        if (onFailure === undefined || signal.aborted || hasCode(error, ...refusals)) throw error;
        await onFailure(error);
        if (Date.now() >= endMs) throw error;
      }
  }
}

/** Changes the book of a row, if it is still as the row says. Somebody may change it after it was read: it is compared again. */
async function changeMatched(client: ImportClient, match: MatchedRow, batch: string): Promise<Result> {
  for (;;) {
    const { book, tag } = await client.getTagged(match.id);
    const found = compare(match, book);
    if (found === 'unchanged' || 'problem' in found) return found;
    try {
      await client.update(match.id, found.patch, { ifMatch: tag, batch });
      return 'updated';
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error;
    }
  }
}

/**
 * Sends items in one request, or in halves where it exceeds the limit of the service, which has then done none of it.
 *
 * @param send `part` names the half: it is the same when it is sent again.
 * @param refuse The result of an item that the service refuses alone.
 */
async function inParts<Item, Answer>(
  items: readonly Item[],
  send: (items: readonly Item[], part: string) => Promise<readonly Answer[]>,
  refuse: (error: unknown, item: Item) => Answer,
  part = '',
): Promise<readonly Answer[]> {
  try {
    return await send(items, part);
  } catch (error) {
    if (!hasCode(error, ...refusals)) throw error;
    const [only] = items;
    if (items.length === 1 && only !== undefined) return [refuse(error, only)];
    const half = Math.ceil(items.length / 2);
    const first = await inParts(items.slice(0, half), send, refuse, `${part}a`);
    return [...first, ...(await inParts(items.slice(half), send, refuse, `${part}b`))];
  }
}

/** The service refuses what a request contains, whatever its state. */
const refusals: readonly ErrorCode[] = ['invalid_input', 'body_too_large'];

/** Why the service refuses the contents of a book. @throws Any other error. */
function refusal(error: unknown): LeftOut {
  if (hasCode(error, ...refusals)) return { problem: { code: 'refused', message: error.message } };
  throw error;
}
