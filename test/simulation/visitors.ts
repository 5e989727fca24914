// Visitors of a simulated library, besides the clients of its catalogue: each tests one promise of the service.
import assert from 'node:assert/strict';
import { credentials, type Answer, type RequestOptions } from '../support/service.ts';
import { expiryOf, type SimulatedService } from './service.ts';
import type { World } from './world.ts';

/** What a visitor needs. */
export interface Visit {
  readonly world: World;
  readonly service: SimulatedService;
  readonly rushes: Rushes;
  /** Whether the library closes. */
  readonly isOver: () => boolean;
}

/** Visitors come in rushes. Between two rushes, nobody does anything, and the streams of events end. */
export class Rushes {
  readonly #world: World;
  readonly #size: number;
  readonly #maxQuietMs: number;
  readonly #onQuiet: () => void;
  #left: number;
  #quiet: Promise<void> | undefined;

  constructor(
    world: World,
    { size, maxQuietMs, onQuiet }: { size: number; maxQuietMs: number; onQuiet: () => void },
  ) {
    this.#world = world;
    this.#size = this.#left = size;
    this.#maxQuietMs = maxQuietMs;
    this.#onQuiet = onQuiet;
  }

  /** Waits for the next operation of a visitor. */
  async turn(): Promise<void> {
    if (this.#left-- <= 0) this.#quiet ??= this.#rest();
    await this.#quiet;
    await this.#world.delay(this.#world.fraction() * 20);
  }

  /** Resolves during a rush. */
  async begun(): Promise<void> {
    await this.#quiet;
  }

  async #rest(): Promise<void> {
    this.#onQuiet();
    await this.#world.delay(this.#world.random(this.#maxQuietMs));
    this.#left = this.#size;
    this.#quiet = undefined;
  }
}

/** The answer; `undefined` if the service is away, or the answer is lost. */
async function answerOf(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (['ECONNREFUSED', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

const logIn = (service: SimulatedService, options: RequestOptions = {}) =>
  service.send('POST', '/token', { body: credentials, ...options });

const tokenIn = ({ envelope }: Answer) => (envelope?.data as { token: string }).token;

/** A login that is renewed when its token has expired. */
export class Session {
  readonly #world: World;
  #token: string | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** A token that has not expired yet. */
  async token(service: SimulatedService): Promise<string> {
    if (this.#token === undefined || expiryOf(this.#token) <= this.#world.date) {
      const answer = await logIn(service);
      assert.equal(answer.status, 200, answer.text);
      this.#token = tokenIn(answer);
    }
    return this.#token;
  }

  async send(
    service: SimulatedService,
    method: string,
    path: string,
    options: RequestOptions,
  ): Promise<Answer> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const token = await this.token(service);
      const answer = await service.send(method, path, { ...options, token });
      if (answer.status !== 401) return answer;
    }
    assert.fail('five new tokens were refused');
  }
}

/** Uses a token just before and just after it expires. */
export async function outstay({ world, service, isOver }: Visit): Promise<void> {
  while (!isOver()) {
    await service.back;
    const login = await answerOf(logIn(service));
    if (login?.status !== 200) continue;
    let token = tokenIn(login);
    if (world.chance(0.5)) {
      await world.delay(world.random(600_000));
      const renewed = await answerOf(service.send('POST', '/token/renew', { token }));
      if (renewed?.status === 200) token = tokenIn(renewed);
    }
    const expiry = expiryOf(token);
    const { jumps } = world;
    const ask = () => answerOf(service.send('GET', '/books?limit=1', { token }));
    await ask();
    await world.delay(Math.max(0, expiry - world.date - world.random(1500)));
    await ask();
    if (world.jumps > jumps) continue; // The token can be valid for hours more.
    await world.delay(Math.max(0, expiry - world.date) + world.random(900));
    await ask();
  }
}

/** How many wrong logins an address may send at once, and the seconds after which it may send another. */
const [burst, refillSeconds] = [20, 3];
const guesser = '203.0.113.9';

/**
 * Guesses passwords: the service checks at most 20 at once from one address, then one every 3 seconds; other addresses can log
 * in.
 */
export async function guessPasswords({ world, service, isOver }: Visit): Promise<void> {
  let life = service.life;
  let begun = world.ms;
  let sent: number[] = [];
  let checked = 0;
  const guess = async (isRight: boolean) => {
    await service.back;
    if (service.life !== life) [life, begun, sent, checked] = [service.life, world.ms, [], 0];
    const own = life;
    sent.push(world.ms);
    const options = {
      localAddress: guesser,
      ...(!isRight && { body: { ...credentials, password: 'a guess' } }),
    };
    const answer = await answerOf(logIn(service, options));
    if (answer === undefined || service.life !== own) return undefined;
    if (answer.status === 401) checked++;
    const most = burst + (world.ms - begun) / 1000 / refillSeconds + 1;
    assert.ok(checked <= most, `${checked} logins were checked within ${world.ms - begun} ms`);
    if (answer.status === 429) {
      const recent = sent.filter((at) => at > world.ms - burst * refillSeconds * 1000 - 1000);
      assert.ok(recent.length >= burst, `a login was refused after ${recent.length} others`);
    } else assert.equal(answer.status, isRight ? 200 : 401);
    return answer;
  };
  while (!isOver()) {
    await Promise.all(Array.from({ length: world.random(30) }, () => guess(false)));
    await world.delay(100); // Guesses without an answer count, too.
    const own = service.life;
    const last = await guess(true);
    const seconds = Number(last?.headers['retry-after'] ?? 0);
    await world.delay(seconds * 1000 + 1);
    // Only this address has to wait.
    const next = await guess(true);
    if (next !== undefined && last !== undefined && service.life === own) assert.equal(next.status, 200);
    await world.delay(world.random(1_200_000));
  }
}

/** Opens the page with a code, which works once and within a minute. */
export async function useCodes({ world, service, isOver }: Visit): Promise<void> {
  const session = new Session(world);
  while (!isOver()) {
    await service.back;
    const { life } = service;
    const made = await answerOf(session.send(service, 'POST', '/token/code', {}));
    const begun = world.ms;
    const { code } = (made?.envelope?.data ?? {}) as { code?: string };
    await world.delay(world.random(90_000));
    const sent = world.ms;
    const exchange = () =>
      answerOf(service.send('POST', '/token/exchange', { body: { code }, localAddress: '203.0.113.10' }));
    const [first, second] = [await exchange(), await exchange()];
    if (code !== undefined && life !== undefined && service.life === life) {
      if (sent - begun > 60_000)
        assert.equal(first?.status ?? 401, 401, 'a code was accepted after a minute');
      if (first !== undefined) assert.notEqual(second?.status, 200, 'a code was accepted twice');
    }
    await world.delay(world.random(600_000));
  }
}

type Question = readonly [method: string, path: string, status: number, options?: RequestOptions];

/** Requests of all kinds, and their status. */
const questions: readonly Question[] = [
  ['GET', '/stats', 200],
  ['GET', '/authors', 200],
  ['GET', '/suggest?field=title&q=1', 200],
  ['GET', '/corrections?q=harrypotter', 200],
  ['GET', '/batches', 200],
  ['GET', '/books?limit=3&sort=-year', 200],
  ['GET', '/books?titleWords=1', 200],
  ['GET', '/duplicates', 200],
  ['HEAD', '/books', 200],
  ['OPTIONS', '/books', 204],
  ['GET', '/livez', 200],
  ['GET', '/books?unknown=1', 400],
  ['POST', '/book', 400, { body: '{"title":' }],
  ['POST', '/book', 400, { body: { title: null } }],
  ['GET', '/book/0', 404],
  ['GET', '/book/9007199254740991', 404],
  ['PUT', '/book/9007199254740991', 404, { body: {} }],
  ['POST', '/book/9007199254740991/revert', 404],
  ['GET', '/nothing', 404],
  ['POST', '/batch/unknown/undo', 404],
  ['POST', '/stats', 405],
];

/** Asks whatever can be asked. */
export async function browse({ world, service, rushes, isOver }: Visit): Promise<void> {
  const session = new Session(world);
  while (!isOver()) {
    await rushes.begun();
    await world.delay(world.fraction() * 40);
    await service.back;
    const [method, path, status, options = {}] = world.pick(questions);
    const answer = await answerOf(session.send(service, method, path, options));
    if (answer !== undefined && answer.status !== 503)
      assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    if (world.chance(0.1)) {
      const refused = await answerOf(service.send('GET', '/books'));
      if (refused !== undefined) assert.equal(refused.status, 401);
    }
  }
}
