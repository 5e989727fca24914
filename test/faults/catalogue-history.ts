// Clients that use a catalogue at the same time, and the check that what they were told is linearizable.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { newBatchId } from '../../src/catalogue/batch.ts';
import type { ChangeKind } from '../../src/catalogue/changes.ts';
import type { Book } from '../../src/index.ts';
import { openStream, type EventStream } from '../support/event-stream.ts';
import type { Random } from '../support/random.ts';
import { credentials, sendRequest, type Answer, type RequestOptions } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';
import { bookSpecification, isRead, type BookOperation, type BookState } from './book-specification.ts';
import { findViolation, isLinearizable, type Operation, type Violation } from './linearizability.ts';
import type { CheckedHistory } from './porcupine.ts';

/** A service that may be away, and come back under another address. */
export interface Place {
  /** Sends a request. Rejects with ECONNREFUSED if it was not sent, with ECONNRESET or EPIPE if its answer was lost. */
  readonly send: (method: string, path: string, options: RequestOptions) => Promise<Answer>;
  /** Follows the changes after a position, or from now on. */
  readonly follow: (scope: Scope, token: string, after: string | undefined) => Promise<EventStream>;
  /** Resolves when it runs again. */
  back: Promise<void>;
}

/** Reaches a service at its current address. */
export function overHttp(urlOf: () => string): Pick<Place, 'send' | 'follow'> {
  return {
    send: (method, path, options) => sendRequest(urlOf(), method, path, options),
    follow: (scope, token, after) => openStream(scope, urlOf(), token, { after }),
  };
}

/** A book of the history. Its title tells it from all others; only its year changes. */
interface Subject {
  readonly title: string;
  /** Unknown until a client is told. */
  id?: number;
  readonly operations: Operation<BookOperation>[];
  writes: number;
}

/** A batch, and the books that its requests named. */
interface Batch {
  readonly id: string;
  readonly subjects: Set<Subject>;
  /** Whether an undo of it was sent, whose outcome may be unknown. No further book joins the batch then. */
  isUndone: boolean;
}

/** An answer, and when it was asked for and received. */
interface Timed extends Partial<Pick<Answer, 'status' | 'headers' | 'envelope'>> {
  readonly begin: number;
  readonly end: number;
}

/** A book is left alone after this: MongoDB keeps the newest 16 states of each. */
const maxWrites = 12;
/** The clients write to the newest books, so that they get in each other's way. */
const hot = 5;

interface HistoryOptions {
  /** What a client waits for before each operation. Default: nothing. */
  readonly think?: () => Promise<void>;
  /** Whether clients read histories and the trash, too. Default false. */
  readonly readsPast?: boolean;
}

/** All that the clients of a catalogue did and were told, in rounds: each has books of its own. */
export class CatalogueHistory {
  readonly #places: readonly Place[];
  readonly #random: Random;
  readonly #think: () => Promise<void>;
  readonly #readsPast: boolean;
  readonly #feed: Feed;
  /** The title under each id that was ever seen. */
  readonly #titles = new Map<number, string>();
  /** What lists with a tag contained. */
  readonly #lists = new Map<string, ReadonlyMap<string, Book>>();
  readonly #subjects = new Map<string, Subject>();
  readonly #lastList = new Map<Place, string>();
  #batches: Batch[] = [];
  /** Each records what an undo did. */
  #undos: (() => void)[] = [];
  #creations: { readonly id: number; readonly begin: number; readonly end: number }[] = [];
  #token = '';
  #years = 0;
  #round = 0;
  /** The histories of all books so far. */
  readonly histories: CheckedHistory[] = [];
  /** The requests with an answer so far, and what was checked: operations on books by their outcome, books, events. */
  readonly counts = {
    rounds: 0,
    requests: 0,
    known: 0,
    unknown: 0,
    books: 0,
    searches: 0,
    unchangedLists: 0,
    events: 0,
  };

  constructor(
    scope: Scope,
    places: readonly Place[],
    random: Random,
    { think = () => Promise.resolve(), readsPast = false }: HistoryOptions = {},
  ) {
    this.#places = places;
    this.#random = random;
    this.#think = think;
    this.#readsPast = readsPast;
    this.#feed = new Feed(scope, places, () => this.#token);
  }

  /**
   * Lets clients work while something disturbs the services, and until they have done a number of requests; checks what they
   * were told.
   */
  async round(clients: number, requests: number, disturb: () => Promise<void>): Promise<void> {
    this.#round++;
    for (const each of [this.#subjects, this.#lists, this.#lastList]) each.clear();
    this.#batches = [];
    this.#undos = [];
    this.#creations = [];
    await this.#logIn();
    await this.#feed.begin();
    const enough = this.counts.requests + requests;
    let isDisturbed = true;
    let hasFailed = false;
    const work = async (i: number) => {
      const place = this.#places[i % this.#places.length];
      assert.ok(place);
      while (!hasFailed && (isDisturbed || this.counts.requests < enough)) {
        await this.#think();
        await this.#step(place);
      }
    };
    const working = Array.from({ length: clients }, (_, i) => work(i));
    try {
      await Promise.all([...working, disturb().finally(() => (isDisturbed = false))]);
    } finally {
      hasFailed = true;
      await Promise.allSettled(working);
    }
    await this.#settle();
    this.#check();
    this.counts.rounds++;
    await this.#clear();
  }

  /** Waits until this many more requests are answered. */
  async progress(requests: number): Promise<void> {
    const enough = this.counts.requests + requests;
    while (this.counts.requests < enough) await setTimeout(2);
  }

  async #logIn(): Promise<void> {
    const answer = await this.#insist('POST', '/token', { body: credentials });
    this.#token = (answer.envelope?.data as { token: string }).token;
  }

  /** One operation of one client. */
  async #step(place: Place): Promise<void> {
    await place.back;
    const hotSubjects = [...this.#subjects.values()]
      .filter(({ id, writes }) => id !== undefined && writes < maxWrites)
      .slice(-hot);
    const subject = hotSubjects[this.#random(hotSubjects.length)];
    if (subject === undefined || (hotSubjects.length < hot && this.#random(3) === 0))
      return this.#create(place, this.#random(3) === 0);
    switch (this.#random(this.#readsPast ? 16 : 14)) {
      case 0:
        return this.#create(place, true);
      case 1:
      case 2:
      case 3:
        return this.#get(place, subject);
      case 4:
        return this.#list(place);
      case 5:
        return this.#search(place);
      case 6:
      case 7:
        return this.#update(place, subject, {});
      case 8:
        return this.#update(place, subject, { isConditional: true });
      case 9:
        return this.#delete(place, subject);
      case 10:
      case 11:
        return this.#revert(place, subject);
      case 12:
        return this.#doBatch(place, hotSubjects);
      case 13:
        return this.#undo(place);
      case 14:
        return this.#readHistory(place, subject);
      default:
        return this.#readTrash(place);
    }
  }

  async #create(place: Place, hasKey: boolean, batch?: Batch): Promise<void> {
    const title = `${this.#round}-${this.#years}`;
    const subject: Subject = { title, operations: [], writes: 0 };
    this.#subjects.set(title, subject);
    batch?.subjects.add(subject);
    const year = ++this.#years;
    const headers = {
      ...(hasKey && { 'Idempotency-Key': `key-${title}` }),
      ...(batch && { Batch: batch.id }),
    };
    // Repeated until there is an answer, and sometimes once more; by each service in turn.
    for (let attempt = 0, isDone = false; !isDone || (hasKey && this.#random(2) === 0); attempt++) {
      const from = attempt === 0 ? place : this.#places[this.#random(this.#places.length)];
      const answer = await this.#send(from ?? place, 'POST', '/book', { headers, body: { title, year } });
      isDone = !hasKey || answer.status === 201;
      if (answer.status === 409 || isRefused(answer)) continue;
      const book = dataOf<Book>(answer, 201);
      if (book !== undefined) this.#identify(book);
      const isReplay = answer.headers?.['idempotency-replayed'] === 'true';
      if (book !== undefined && !isReplay) this.#creations.push({ id: book.id, ...timesOf(answer) });
      const result = book && (isReplay ? 'replayed' : 'created');
      this.#record(subject, answer, {
        call: 'create',
        year,
        hasKey,
        ...(batch && { batch: batch.id }),
        ...(result && { result }),
      });
    }
  }

  async #get(place: Place, subject: Subject): Promise<void> {
    const answer = await this.#send(place, 'GET', `/book/${subject.id}`);
    if (isNothing(answer)) return;
    const book = answer.status === 404 ? undefined : dataOf<Book>(answer, 200);
    if (book !== undefined) this.#identify(book);
    this.#record(subject, answer, { call: 'get', result: book?.year });
  }

  async #update(
    place: Place,
    subject: Subject,
    { isConditional = false, batch }: { isConditional?: boolean; batch?: Batch },
  ): Promise<void> {
    let expected: { readonly year: number; readonly tag: string } | undefined;
    if (isConditional) {
      const read = await this.#send(place, 'GET', `/book/${subject.id}`);
      if (read.status !== 200) return;
      expected = { year: dataOf<Book>(read, 200)?.year ?? 0, tag: read.headers?.etag ?? '' };
      this.#record(subject, read, { call: 'get', result: expected.year });
    }
    const year = ++this.#years;
    subject.writes++;
    batch?.subjects.add(subject);
    const headers = { ...(expected && { 'If-Match': expected.tag }), ...(batch && { Batch: batch.id }) };
    const answer = await this.#send(place, 'PUT', `/book/${subject.id}`, { headers, body: { year } });
    if (isRefused(answer)) return;
    const book = [404, 412].includes(answer.status ?? 0) ? undefined : dataOf<Book>(answer, 200);
    if (book !== undefined)
      assert.deepEqual(book, { id: subject.id, title: subject.title, author: '', year });
    const result = answer.status === 404 ? 'missing' : answer.status === 412 ? 'differs' : book && 'done';
    this.#record(subject, answer, {
      call: 'update',
      year,
      ...(expected && { if: expected.year }),
      ...(batch && { batch: batch.id }),
      ...(result && { result }),
    });
  }

  async #delete(place: Place, subject: Subject, batch?: Batch): Promise<void> {
    subject.writes++;
    batch?.subjects.add(subject);
    const headers = { ...(batch && { Batch: batch.id }) };
    const answer = await this.#send(place, 'DELETE', `/book/${subject.id}`, { headers });
    // A delete that fails returns 404.
    if (answer.status !== 404) dataOf(answer, 200);
    if (isRefused(answer)) return;
    const result = answer.status === 200 ? ('done' as const) : undefined;
    this.#record(subject, answer, {
      call: 'delete',
      ...(batch && { batch: batch.id }),
      ...(result && { result }),
    });
  }

  async #revert(place: Place, subject: Subject): Promise<void> {
    subject.writes++;
    const answer = await this.#send(place, 'POST', `/book/${subject.id}/revert`);
    if (isRefused(answer)) return;
    const result = answer.status === 404 ? 'missing' : dataOf<Book>(answer, 200)?.year;
    this.#record(subject, answer, { call: 'revert', ...(result !== undefined && { result }) });
  }

  /** Changes several books in one batch. */
  async #doBatch(place: Place, subjects: readonly Subject[]): Promise<void> {
    const batch: Batch = { id: newBatchId(), subjects: new Set(), isUndone: false };
    this.#batches.push(batch);
    await this.#create(place, false, batch);
    for (const subject of subjects.slice(0, 1 + this.#random(3))) {
      if (batch.isUndone) return;
      await (this.#random(4) === 0
        ? this.#delete(place, subject, batch)
        : this.#update(place, subject, { batch }));
    }
  }

  async #undo(place: Place): Promise<void> {
    const batch = this.#batches[this.#random(this.#batches.length)];
    if (batch === undefined) return;
    batch.isUndone = true;
    const answer = await this.#send(place, 'POST', `/batch/${batch.id}/undo`);
    if (isRefused(answer)) return;
    const data =
      answer.status === 404 ? undefined : dataOf<{ left: number[]; next: number | null }>(answer, 200);
    if (data !== undefined) assert.equal(data.next, null);
    for (const subject of batch.subjects) subject.writes++;
    const subjects = [...batch.subjects];
    // The answer has ids, and some books may still wait for theirs.
    this.#undos.push(() => {
      for (const subject of subjects) {
        const isLeft = data?.left.some((id) => id === subject.id);
        const result = answer.status === 404 ? 'none' : data && (isLeft === true ? 'left' : 'other');
        this.#record(subject, answer, { call: 'undo', batch: batch.id, ...(result && { result }) });
      }
    });
  }

  async #readHistory(place: Place, subject: Subject): Promise<void> {
    const answer = await this.#send(place, 'GET', `/book/${subject.id}/history`);
    if (isNothing(answer)) return;
    const states = answer.status === 404 ? undefined : dataOf<Book[]>(answer, 200);
    this.#record(subject, answer, { call: 'history', result: states?.map(({ year }) => year) });
  }

  async #readTrash(place: Place): Promise<void> {
    const answer = await this.#send(place, 'GET', '/trash?limit=1000');
    if (isNothing(answer)) return;
    const deleted = dataOf<Book[]>(answer, 200) ?? [];
    for (const book of deleted) this.#identify(book);
    const years = new Map(deleted.map(({ title, year }) => [title, year]));
    assert.equal(new Set(deleted.map(({ id }) => id)).size, deleted.length, 'a book is twice in the trash');
    for (const subject of this.#subjects.values())
      this.#record(subject, answer, { call: 'trash', result: years.get(subject.title) });
  }

  async #list(place: Place): Promise<void> {
    const known = this.#lastList.get(place);
    const headers = { ...(known !== undefined && this.#random(2) === 0 && { 'If-None-Match': known }) };
    const answer = await this.#send(place, 'GET', '/books', { headers });
    if (!isNothing(answer)) this.#readList(place, answer);
  }

  /** A search that all books of the round match: their titles begin with its number. It is asked again and again, and so may be kept. */
  async #search(place: Place): Promise<void> {
    const answer = await this.#send(place, 'GET', `/books?q=${this.#round}&limit=1000`);
    if (isNothing(answer)) return;
    const found = dataOf<Book[]>(answer, 200) ?? [];
    for (const book of found) this.#identify(book);
    const years = new Map(found.map(({ title, year }) => [title, year]));
    assert.equal(years.size, found.length, 'a book is twice in the answer of a search');
    this.counts.searches++;
    for (const subject of this.#subjects.values())
      this.#record(subject, answer, { call: 'search', result: years.get(subject.title) });
  }

  /** A list is a read of each book of the round. An unchanged one says that the books are as in the list with its tag. */
  #readList(place: Place, answer: Timed): void {
    const tag = answer.headers?.etag ?? '';
    let books = this.#lists.get(tag);
    if (answer.status === 304) {
      assert.ok(books, `no list had the tag ${tag}`);
      this.counts.unchangedLists++;
    } else {
      const listed = dataOf<Book[]>(answer, 200) ?? [];
      for (const book of listed) this.#identify(book);
      books = new Map(listed.map((book) => [book.title, book]));
      assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length, 'an id is twice in the list');
      this.#lists.set(tag, books);
      this.#lastList.set(place, tag);
    }
    for (const subject of this.#subjects.values())
      this.#record(subject, answer, { call: 'list', result: books.get(subject.title)?.year });
  }

  /** Each id has one title for ever, and each title one id. */
  #identify({ id, title, author }: Book): void {
    const before = this.#titles.get(id);
    assert.ok(
      before === undefined || before === title,
      `id ${id} of "${before}" was given to "${title}", too`,
    );
    this.#titles.set(id, title);
    assert.equal(author, '');
    const subject = this.#subjects.get(title);
    if (subject === undefined) return;
    assert.ok(
      subject.id === undefined || subject.id === id,
      `"${title}" was created as ${subject.id} and as ${id}`,
    );
    subject.id = id;
  }

  #record(subject: Subject, answer: Timed, detail: BookOperation): void {
    const isKnown = isRead(detail) || detail.result !== undefined;
    this.counts[isKnown ? 'known' : 'unknown']++;
    const { begin, end } = timesOf(answer);
    subject.operations.push({ detail, begin, end: isKnown ? end : Infinity });
  }

  /** Reads the final list, and all events of the round. */
  async #settle(): Promise<void> {
    const [place] = this.#places;
    assert.ok(place);
    this.#readList(place, await this.#insist('GET', '/books'));
    const headers = { 'If-None-Match': this.#lastList.get(place) };
    this.#readList(place, await this.#insist('GET', '/books', { headers }));
    // Events arrive in order: when that of a last book is there, so are all before.
    const title = `end of round ${this.#round}`;
    const body = { title, year: 0 };
    const last = dataOf<Book>(await this.#insist('POST', '/book', { body }), 201);
    await this.#feed.reach(last?.id ?? 0);
  }

  /** Deletes what the round leaves, so that lists stay short. */
  async #clear(): Promise<void> {
    const books = dataOf<Book[]>(await this.#insist('GET', '/books'), 200) ?? [];
    for (const { id } of books) await this.#insist('DELETE', `/book/${id}`);
  }

  /** Sends a request until it is answered with success, by one service or another. */
  async #insist(method: string, path: string, options: RequestOptions = {}): Promise<Timed> {
    const end = performance.now() + 60_000;
    for (let attempt = 0; ; attempt++) {
      const place = this.#places[attempt % this.#places.length];
      assert.ok(place);
      await place.back;
      const answer = await this.#send(place, method, path, options);
      if (answer.status === 304 || Math.floor((answer.status ?? 0) / 100) === 2) return answer;
      assert.ok(performance.now() < end, `${method} ${path} failed for a minute: ${answer.status}`);
      await setTimeout(50);
    }
  }

  #check(): void {
    for (const record of this.#undos) record();
    const checked: CheckedHistory[] = [];
    const identified = [...this.#subjects.values()].filter(({ id }) => id !== undefined);
    for (const { id = 0, title, operations } of identified) {
      const feed = this.#feed.changesOf(id);
      this.counts.events += feed.length;
      this.counts.books++;
      const name = `book ${id}, "${title}"`;
      const isRight = isLinearizable(bookSpecification(feed), operations);
      checked.push({ name, operations, feed, isLinearizable: isRight });
    }
    this.histories.push(...checked);
    const refused = checked.find((each) => !each.isLinearizable);
    if (refused !== undefined) {
      const { name, operations, feed } = refused;
      const violation = findViolation(bookSpecification(feed), operations);
      assert.fail(describe(name, feed, violation ?? { operations, explained: [] }));
    }
    const creations = this.#creations.toSorted((a, b) => a.begin - b.begin);
    for (const [i, earlier] of creations.entries())
      for (const later of creations.slice(i + 1))
        assert.ok(
          later.begin <= earlier.end || later.id > earlier.id,
          `id ${later.id} was given after ${earlier.id}`,
        );
  }

  async #send(place: Place, method: string, path: string, options: RequestOptions = {}): Promise<Timed> {
    const begin = performance.now();
    try {
      const answer = await place.send(method, path, { token: this.#token, ...options });
      const end = performance.now();
      this.counts.requests++;
      return { begin, end, ...answer };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) throw error;
      // A refused connection has done nothing; nor has the service come back yet.
      if (code === 'ECONNREFUSED') await setTimeout(10);
      return { begin, end: performance.now(), ...(code === 'ECONNREFUSED' && { status: 0 }) };
    }
  }
}

/** Whether a request was never sent. */
const isRefused = ({ status }: Timed) => status === 0;
/** Whether a read had no result. */
const isNothing = ({ status }: Timed) => status === undefined || status === 0 || status === 503;
const timesOf = ({ begin, end }: Timed) => ({ begin, end });

/** The data of a successful answer; `undefined` without an answer, or with "Service unavailable". */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows the data of its route
function dataOf<Data>({ status, envelope }: Timed, success: number): Data | undefined {
  if (status === undefined || status === 0 || status === 503) return undefined;
  assert.equal(status, success, JSON.stringify(envelope));
  return envelope?.data as Data;
}

/** Follows the changes of a catalogue through all interruptions, from one service or another. */
class Feed {
  readonly #scope: Scope;
  readonly #places: readonly Place[];
  readonly #token: () => string;
  readonly #changes = new Map<number, ChangeKind[]>();
  #after: string | undefined;
  #connections = 0;
  #following: Promise<void> | undefined;
  #failure: unknown;
  #isOver = false;

  constructor(scope: Scope, places: readonly Place[], token: () => string) {
    this.#scope = scope;
    this.#places = places;
    this.#token = token;
    scope.after(() => (this.#isOver = true));
  }

  changesOf(id: number): readonly ChangeKind[] {
    return this.#changes.get(id) ?? [];
  }

  /** Begins to follow at the current position; does nothing if it has begun. */
  async begin(): Promise<void> {
    if (this.#following !== undefined) return;
    let stream = await this.#connect();
    // Without a position, it would miss what happens until the next attempt.
    for (; stream === undefined; stream = await this.#connect()) await setTimeout(20);
    this.#following = (async () => {
      for (; !this.#isOver; stream = await this.#connect()) {
        const read = await this.#read(stream);
        this.#after = stream?.lastId() || this.#after;
        if (read === 0) await setTimeout(20);
      }
    })().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Waits for the event of the creation of this book. */
  async reach(id: number): Promise<void> {
    const end = performance.now() + 60_000;
    while (this.changesOf(id).length === 0) {
      if (this.#failure !== undefined) throw this.#failure as Error;
      assert.ok(performance.now() < end, `no event of book ${id} within a minute`);
      await setTimeout(5);
    }
  }

  /** Connects to one service after the other; `undefined` if it cannot be reached. */
  async #connect(): Promise<EventStream | undefined> {
    const place = this.#places[this.#connections++ % this.#places.length];
    await place?.back;
    const stream = await place?.follow(this.#scope, this.#token(), this.#after).catch(() => undefined);
    if (stream?.status === 200) return stream;
    stream?.close();
    return undefined;
  }

  /** Reads until the connection ends; returns the number of events. */
  async #read(stream: EventStream | undefined): Promise<number> {
    let taken = 0;
    const take = () => {
      for (const { event, data } of stream?.events.slice(taken) ?? []) {
        taken++;
        assert.equal(event, 'change', 'the feed has lost changes');
        const { id, change } = data as { id: number; change: ChangeKind };
        this.#changes.set(id, [...this.changesOf(id), change]);
      }
    };
    let isOpen = stream !== undefined;
    while (isOpen) {
      isOpen = (await stream?.until(taken + 1).catch(() => undefined)) !== undefined;
      take();
    }
    return taken;
  }
}

/** The operations that nothing explains, one a line, and the order of them that explains most. */
function describe(
  subject: string,
  feed: readonly ChangeKind[],
  { operations, explained }: Violation<BookState, BookOperation>,
): string {
  const start = operations[0]?.begin ?? 0;
  const ms = (time: number) => (time === Infinity ? '…' : (time - start).toFixed(1));
  const line = ({ begin, end, detail: { call, ...others } }: Operation<BookOperation>) =>
    `${`${ms(begin)}–${ms(end)} ms`.padEnd(20)} ${call} ${JSON.stringify(others)}`;
  const states = explained.map(
    ({ operation, state }) => `${line(operation)}  then the year is ${state.year ?? 'that of no book'}`,
  );
  const others = operations.filter((each) => !explained.some(({ operation }) => operation === each));
  return [
    `${subject}: no order of these operations explains their results.`,
    `changes by the feed: ${feed.join(', ')}`,
    'explained:',
    ...states,
    'not explained after these:',
    ...others.map(line),
  ].join('\n');
}
