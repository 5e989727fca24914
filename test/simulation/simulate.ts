// A library's day in a simulated world.
import { CatalogueHistory, type Place } from '../faults/catalogue-history.ts';
import type { Judge } from '../support/answers.ts';
import type { Scope } from '../support/temp.ts';
import { SimulatedService, type Disturbances } from './service.ts';
import { inMemory, type StoreKind } from './stores.ts';
import { browse, guessPasswords, outstay, Rushes, Session, useCodes } from './visitors.ts';
import { World } from './world.ts';

interface SimulationOptions {
  readonly judge: Judge;
  /** The lowest number of requests from the clients of the catalogue. */
  readonly requests?: number;
  /** How many of them come in a rush, and the longest time between two rushes, in milliseconds. */
  readonly rush?: { readonly size: number; readonly maxQuietMs: number };
  /** Default: in memory. */
  readonly store?: StoreKind;
}

export interface Report {
  /** Identifies everything that happened. */
  readonly digest: string;
  /** The simulated time. */
  readonly ms: number;
  readonly answers: number;
  readonly counts: CatalogueHistory['counts'];
  readonly happened: Readonly<Record<string, number>>;
}

/** The end of the world. Each run ends long before it. */
const maxMs = 4 * 3_600_000;
const rounds = 2;
/** The longest time for which a service is away, and the largest error of the system clock, in milliseconds. */
const [maxAwayMs, maxJumpMs] = [10_000, 3_600_000];

const calm: Disturbances = { abort: 0, refusedCall: 0, lostAnswer: 0, maxLatencyMs: 5 };

/** The first run of a process loads modules, at times that no seed determines. */
let warming: Promise<Report> | undefined;

/** Runs a day. @throws What was wrong, with the seed that reproduces it. */
export async function simulate(seed: number, options: SimulationOptions): Promise<Report> {
  await (warming ??= play(0, { judge: options.judge }));
  return play(seed, options);
}

async function play(seed: number, options: SimulationOptions): Promise<Report> {
  const world = new World(seed);
  const cleanUps: (() => unknown)[] = [];
  const scope = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) };
  try {
    return await world.run(() => run(world, scope, options), maxMs);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `seed ${seed}: ${message}\nreplay it: TEST_SEED=${seed} npm run test:slow simulation\nthe latest events:\n${world.latestEvents()}`,
      { cause },
    );
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

async function run(
  world: World,
  scope: Scope,
  {
    judge,
    requests = 30,
    rush = { size: 20 + world.random(30), maxQuietMs: 300_000 },
    store = inMemory(),
  }: SimulationOptions,
): Promise<Report> {
  const isCalm = world.random(3) === 0;
  const disturbances = isCalm
    ? calm
    : { abort: 0.02, refusedCall: 0.003, lostAnswer: 0.003, maxLatencyMs: 2 + world.random(60) };
  const openStore = await world.outside(store(scope, world));
  const services = ['north', 'south']
    .slice(world.random(2))
    .map((name) => new SimulatedService(world, { name, openStore, disturbances, judge }));
  for (const service of services) await service.start();

  const rushes = new Rushes(world, {
    ...rush,
    onQuiet: () => {
      for (const service of services) service.dropStreams();
    },
  });
  let isOver = false;
  const session = new Session(world);
  const places = services.map((service): Place => ({
    send: (method, path, options) =>
      path === '/token'
        ? service.send(method, path, { ...options, token: undefined })
        : session.send(service, method, path, options),
    follow: async (_, __, after) => {
      await rushes.begun();
      if (isOver) throw new Error('the library is closed');
      return service.follow(await session.token(service), after);
    },
    get back() {
      return service.back;
    },
  }));
  const visits: (() => unknown)[] = [];
  const history = new CatalogueHistory({ after: (end) => void visits.push(end) }, places, world.random, {
    think: () => rushes.turn(),
    readsPast: true,
  });

  const happened: Record<string, number> = {};
  const crash = (service: SimulatedService) => {
    service.crash();
  };
  const jump = () => {
    world.jump(world.random(2 * maxJumpMs) - maxJumpMs);
  };
  const disturbers: readonly (readonly [string, (service: SimulatedService) => unknown])[] = [
    ['crashes', (service) => service.restart(crash, world.random(maxAwayMs))],
    ['stops', (service) => service.restart((each) => each.stop(), world.random(maxAwayMs))],
    ['jumps of the clock', jump],
  ];
  const disturb = async () => {
    for (let left = isCalm ? 0 : world.random(3); left > 0; left--) {
      await rushes.begun();
      await world.delay(world.random(1500));
      const [what, act] = world.pick(disturbers);
      happened[what] = (happened[what] ?? 0) + 1;
      await act(world.pick(services));
    }
  };

  const visit = { world, rushes, isOver: () => isOver };
  const visitors = [outstay, guessPasswords, useCodes, browse].map((each) =>
    each({ ...visit, service: world.pick(services) }),
  );
  const clients = 3 + world.random(4);
  const work = async () => {
    for (let round = 0; round < rounds; round++) await history.round(clients, requests / rounds, disturb);
  };
  await Promise.race([work(), Promise.all(visitors)]);
  for (const end of visits) end();
  isOver = true;
  for (const service of services) service.dropStreams();
  await Promise.all(visitors);
  for (const service of services) await service.stop();
  const answers = services.reduce((sum, each) => sum + each.answers, 0);
  world.note(`the end, after ${answers} answers`);
  return { digest: world.digest(), ms: world.ms, answers, counts: history.counts, happened };
}
