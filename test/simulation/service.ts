// A service in a simulated world: the real one, over a store and a network with delays and faults.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { createFetchHandler, ShelflistError, type BookStore, type FetchHandler } from '../../src/index.ts';
import { storeMethods } from '../../src/store/contract/store.ts';
import type { Judge } from '../support/answers.ts';
import { collectEvents, type EventStream } from '../support/event-stream.ts';
import { credentials, secretToken, type Answer, type RequestOptions } from '../support/service.ts';
import type { World } from './world.ts';

/** How a world disturbs its services. Most values are the probability for a request or a call. */
export interface Disturbances {
  /** A client gives up before its answer arrives. */
  readonly abort: number;
  /** A call of the store fails, and does nothing. */
  readonly refusedCall: number;
  /** A call of the store takes effect, and its answer is lost. */
  readonly lostAnswer: number;
  /** The longest latency between client and service, or service and store, in milliseconds. */
  readonly maxLatencyMs: number;
}

interface ServiceOptions {
  readonly name: string;
  /** Opens the store, for each life of the service. */
  readonly openStore: () => BookStore | Promise<BookStore>;
  readonly disturbances: Disturbances;
  readonly judge: Judge;
}

/** One life of a service, from a start to a stop or a crash. */
interface Life {
  readonly handler: FetchHandler;
  readonly store: BookStore;
  /** The connections of its clients. */
  readonly connections: Set<AbortController>;
  /** How many faults have reached it. */
  faults: number;
  isOver: boolean;
}

/** A service that stops, crashes and starts again. Its store, which other services can share, outlives it. */
export class SimulatedService {
  readonly name: string;
  readonly #world: World;
  readonly #options: ServiceOptions;
  #life: Life | undefined;
  back = Promise.resolve();
  /** The answers so far. */
  answers = 0;

  constructor(world: World, options: ServiceOptions) {
    this.name = options.name;
    this.#world = world;
    this.#options = options;
  }

  /** Differs after each start. */
  get life(): object | undefined {
    return this.#life;
  }

  async start(): Promise<void> {
    const opened = await this.#world.outside(Promise.resolve(this.#options.openStore()));
    const life = { connections: new Set<AbortController>(), store: opened, faults: 0, isOver: false };
    const handler = await this.#world.outside(
      createFetchHandler({
        secretToken,
        authUsername: credentials.username,
        authPassword: credentials.password,
        logger: false,
        store: this.#connect(opened, life),
      }),
    );
    this.#world.note(`${this.name} starts`);
    this.#life = Object.assign(life, { handler });
  }

  /** Answers the requests in flight, and ends. */
  async stop(): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    if (life === undefined) return;
    life.faults++; // Streams end, and waiting requests can get 503.
    this.#world.note(`${this.name} stops`);
    await life.handler.close();
    await this.#end(life);
  }

  /** Ends at once, as in a crash: no further call of the store begins, and no answer arrives. */
  crash(): void {
    const life = this.#life;
    this.#life = undefined;
    if (life === undefined) return;
    this.#world.note(`${this.name} crashes`);
    void this.#end(life);
  }

  async #end(life: Life): Promise<void> {
    life.isOver = true;
    for (const connection of life.connections) connection.abort();
    await life.store.close(); // Calls that have reached the store take effect.
  }

  /** Ends and starts again; `back` resolves then. */
  async restart(end: (service: this) => unknown, awayMs: number): Promise<void> {
    this.back = (async () => {
      await end(this);
      await this.#world.delay(awayMs);
      await this.start();
    })();
    await this.back;
  }

  /** Ends the streams of its clients, as a network does after a long silence. */
  dropStreams(): void {
    for (const connection of this.#life?.connections ?? []) if (streams.has(connection)) connection.abort();
  }

  /** Sends a request. Rejects with the code ECONNREFUSED if it was not sent, and ECONNRESET if its answer is lost. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const world = this.#world;
    const { body, token, localAddress: remoteAddress = '192.0.2.1' } = options;
    await this.#travel();
    const life = this.#life;
    if (life === undefined) throw failure('ECONNREFUSED');
    const connection = new AbortController();
    life.connections.add(connection);
    const patience = world.chance(this.#options.disturbances.abort)
      ? world.delay(world.random(40)).then(() => {
          connection.abort();
        })
      : undefined;
    const headers = {
      ...(options.headers as Record<string, string>),
      ...(token !== undefined && { Authorization: token }),
    };
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const before = { faults: life.faults, date: world.date, jumps: world.jumps };
    world.note(`${this.name} ${remoteAddress} ${method} ${path} ${text ?? ''}`);
    try {
      const request = new Request(`http://library.example${path}`, {
        method,
        headers,
        body: text,
        signal: connection.signal,
      });
      const answer = await withinAMinute(
        `${method} ${path}`,
        life.handler(request, { remoteAddress }).then(toAnswer),
      );
      world.note(`${this.name} ${remoteAddress} ${method} ${path}: ${answer.status} ${answer.text}`);
      this.#judge(method, path, answer, life.faults > before.faults);
      // What is answered to everybody is answered with an expired token, too: the clock may jump after a client has looked at it.
      const isPublic =
        method === 'OPTIONS' ||
        path === '/livez' ||
        ['Not found', 'Method not allowed'].includes(answer.envelope?.message ?? '');
      if (token !== undefined && !isPublic && world.jumps === before.jumps)
        checkExpiry(token, answer, before.date, world.date);
      await this.#travel();
      if (connection.signal.aborted) throw failure('ECONNRESET');
      this.answers++;
      return answer;
    } catch (error) {
      // If the store fails, an answer that has begun breaks off.
      const isBroken =
        error instanceof Error && error.message === 'the response ended before it was complete';
      if (connection.signal.aborted || (isBroken && life.faults > before.faults)) throw failure('ECONNRESET');
      throw error;
    } finally {
      await patience;
      life.connections.delete(connection);
    }
  }

  /** Follows the changes after a position. @throws As {@link send}. */
  async follow(token: string, after: string | undefined): Promise<EventStream> {
    const world = this.#world;
    await this.#travel();
    const life = this.#life;
    if (life === undefined) throw failure('ECONNREFUSED');
    const connection = new AbortController();
    life.connections.add(connection);
    streams.add(connection);
    const headers = { Authorization: token, ...(after !== undefined && { 'Last-Event-ID': after }) };
    const request = new Request('http://library.example/changes', { headers, signal: connection.signal });
    world.note(`${this.name} follows after ${after}`);
    const response = await life.handler(request, { remoteAddress: '192.0.2.2' }).catch((cause: unknown) => {
      if (connection.signal.aborted) throw failure('ECONNRESET');
      throw cause;
    });
    const { status } = response;
    const given = Object.fromEntries(response.headers);
    const collected = collectEvents(Readable.from(this.#late(response.body)));
    void collected.ended.then(() => life.connections.delete(connection));
    if (status === 200) await collected.begun(after !== undefined);
    return {
      status,
      headers: given,
      ...collected,
      close: () => {
        connection.abort();
      },
    };
  }

  async *#late(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    for await (const chunk of body) {
      await this.#travel();
      this.#world.note(`${this.name} event ${Buffer.from(chunk).toString()}`);
      yield chunk;
    }
  }

  /** Most messages are fast. */
  #travel(): Promise<void> {
    return this.#world.delay(this.#world.fraction() ** 3 * this.#options.disturbances.maxLatencyMs);
  }

  #judge(method: string, path: string, answer: Answer, isDisturbed: boolean): void {
    const head = [
      `HTTP/1.1 ${answer.status} `,
      ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`),
    ];
    const wrong = this.#options.judge({ method, target: path, head: head.join('\r\n'), body: answer.text });
    assert.equal(wrong, undefined, `${method} ${path}: ${answer.status} ${answer.text}`);
    // The duplicates are computed once, outside of requests: until then, the answer says when to ask again.
    const isComputing = path.startsWith('/duplicates') && answer.headers['retry-after'] !== undefined;
    const mayFail = isDisturbed || isComputing ? [503] : [];
    assert.ok(
      answer.status < 500 || mayFail.includes(answer.status),
      `${method} ${path}: ${answer.status}, without a fault`,
    );
    // A delete that fails for any reason is a 404; one without a book succeeds.
    if (method === 'DELETE')
      assert.ok(answer.status !== 404 || isDisturbed, `${method} ${path}: 404, without a fault`);
  }

  /** The store as the service reaches it: each call takes some time, and can fail. */
  #connect(store: BookStore, life: Pick<Life, 'faults' | 'isOver'>): BookStore {
    const call = async (name: string, effect: () => unknown): Promise<unknown> => {
      await this.#cross(name, life, 'refusedCall');
      this.#world.note(`${this.name} calls ${name}`);
      try {
        return await effect();
      } finally {
        await this.#cross(name, life, 'lostAnswer');
      }
    };
    const methods = storeMethods.flatMap((name) => {
      const own = store[name]?.bind(store) as ((...args: readonly unknown[]) => unknown) | undefined;
      if (own === undefined) return [];
      const pages = async function* (...args: readonly unknown[]) {
        const all = (own(...args) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
        for (;;) {
          const next = (await call(name, () => all.next())) as IteratorResult<unknown>;
          if (next.done === true) return;
          yield next.value;
        }
      };
      return [
        [name, name === 'iterate' ? pages : (...args: readonly unknown[]) => call(name, () => own(...args))],
      ];
    });
    return { ...(Object.fromEntries(methods) as BookStore), description: store.description };
  }

  /** A message between service and store. After the end of the service, it does not arrive, and the code that waits for it ends. */
  async #cross(
    name: string,
    life: Pick<Life, 'faults' | 'isOver'>,
    fault: 'refusedCall' | 'lostAnswer',
  ): Promise<void> {
    await this.#travel();
    if (life.isOver) throw new ShelflistError('unavailable', { message: 'the service has crashed' });
    if (!this.#world.chance(this.#options.disturbances[fault])) return;
    life.faults++;
    this.#world.note(`${this.name} ${name}: ${fault}`);
    throw new ShelflistError('unavailable', { message: `a simulated fault: ${fault}` });
  }
}

/** The connections that are streams of events. */
const streams = new WeakSet<AbortController>();

/** @throws The request hangs. */
async function withinAMinute<T>(what: string, answering: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what}: no answer within a minute`));
    }, 60_000);
  });
  try {
    return await Promise.race([answering, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  if (text === '') return { status, headers, text, envelope: undefined };
  return { status, headers, text, envelope: JSON.parse(text) as Answer['envelope'] };
}

/** When a token expires, in milliseconds since 1970. */
export function expiryOf(token: string): number {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number }).exp * 1000;
}

/** The service must refuse a token once it has expired, and not before. */
function checkExpiry(token: string, { status, envelope }: Answer, sent: number, answered: number): void {
  const expiry = expiryOf(token);
  // The answer to HEAD has no envelope.
  const isRefused = status === 401 && (envelope === undefined || envelope.message === 'Invalid token');
  if (expiry <= sent)
    assert.ok(
      isRefused,
      `a token was accepted ${sent - expiry} ms after its end: ${status} ${envelope?.message ?? ''}`,
    );
  if (expiry > answered) assert.ok(!isRefused, `a token was refused ${expiry - answered} ms before its end`);
}

function failure(code: 'ECONNREFUSED' | 'ECONNRESET'): Error {
  return Object.assign(new Error(code), { code });
}
