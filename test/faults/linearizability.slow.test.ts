import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { after, describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { serve, workersOf, type RunningService } from '../support/cli.ts';
import { memberThatIs, newDatabaseUrl, startMongods } from '../support/mongod.ts';
import { createRandom, seedOfRun, type Random } from '../support/random.ts';
import type { Member } from '../support/replica-set.ts';
import { credentials, secretToken } from '../support/service.ts';
import { onlyLong, sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';
import { CatalogueHistory, overHttp, type Place } from './catalogue-history.ts';
import { buildPorcupine, compareOpinions } from './porcupine.ts';
import { startProxy, type Direction, type Proxy } from './proxy.ts';

const seed = seedOfRun();
const clients = 8;
/** How long a setup is tested. A disturbance of MongoDB takes some seconds, and there are more kinds of them. */
const sqliteMs = sized({ short: 3000, long: 140_000 });
const mongodbMs = sized({ short: 4000, long: 300_000 });
/** The number of requests of a history, at least; each is one round. */
const requests = 400;
/** A paused or unreachable primary is away for longer than an election takes. */
const electionTimeoutMillis = 1000;
const awayMs = 4 * electionTimeoutMillis;

const set = await startMongods({ count: 3, electionTimeoutMillis });
after(() => ('skip' in set ? undefined : set.stop()));
const members = 'skip' in set ? [] : set.members;
const porcupine = await buildPorcupine({ after });

/** Disturbs the services or their database once; resolves when all is well again. */
type Nemesis = [what: string, act: (history: CatalogueHistory) => Promise<void>];

interface Setup {
  readonly places: readonly Place[];
  readonly nemeses: readonly Nemesis[];
}

/** A service that is killed and started again. */
class KilledService implements Place {
  readonly #start: () => Promise<RunningService>;
  #service: RunningService;
  readonly #http = overHttp(() => this.#service.url);
  readonly send = this.#http.send;
  readonly follow = this.#http.follow;
  back = Promise.resolve();

  private constructor(start: () => Promise<RunningService>, service: RunningService) {
    this.#start = start;
    this.#service = service;
  }

  static async begin(t: TestContext, env: Record<string, string>): Promise<KilledService> {
    const cwd = await temporaryFolder(t);
    const all = {
      SECRET_TOKEN: secretToken,
      AUTH_USERNAME: credentials.username,
      AUTH_PASSWORD: credentials.password,
      ...env,
    };
    const start = () => serve(t, cwd, all);
    return new KilledService(start, await start());
  }

  /** Ends it and its workers by SIGKILL, and starts it again. */
  async kill(): Promise<void> {
    const { child } = this.#service;
    const ended = once(child, 'close');
    for (const pid of [...(await workersOf(this.#service)), child.pid ?? 0]) process.kill(pid, 'SIGKILL');
    const starting = ended.then(this.#start).then((service) => void (this.#service = service));
    this.back = starting;
    await starting;
  }

  /** Ends one of its workers by SIGKILL; resolves when another replaces it. */
  async killWorker(random: Random): Promise<void> {
    const workers = await workersOf(this.#service);
    const worker = workers[random(workers.length)];
    if (worker === undefined) return;
    process.kill(worker, 'SIGKILL');
    while ((await workersOf(this.#service)).filter((pid) => pid !== worker).length < workers.length)
      await setTimeout(10);
  }
}

/** Kills any of the services after some requests. */
function killOf(services: readonly KilledService[], random: Random): Nemesis {
  return [
    'a service is killed',
    async (history) => {
      await history.progress(20 + random(200));
      await services[random(services.length)]?.kill();
    },
  ];
}

async function twoProcesses(t: TestContext, random: Random): Promise<Setup> {
  const DATABASE_URL = `file:${join(await temporaryFolder(t), 'data')}`;
  const services = [
    await KilledService.begin(t, { DATABASE_URL }),
    await KilledService.begin(t, { DATABASE_URL }),
  ];
  return { places: services, nemeses: [killOf(services, random)] };
}

async function twoWorkers(t: TestContext, random: Random): Promise<Setup> {
  const service = await KilledService.begin(t, { WORKERS: '2' });
  const killWorker: Nemesis = [
    'a worker is killed',
    async (history) => {
      await history.progress(20 + random(200));
      await service.killWorker(random);
    },
  ];
  return { places: [service], nemeses: [killOf([service], random), killWorker] };
}

async function threeMembers(t: TestContext, random: Random): Promise<Setup> {
  const DATABASE_URL = newDatabaseUrl(set);
  const redirect = pathToFileURL(join(import.meta.dirname, '../support/net-redirect.mjs')).href;
  const portOf = ({ url }: Member) => Number(new URL(url).port);
  // Each service has proxies of its own.
  const proxiesOf: Map<Member, Proxy>[] = [];
  const services: KilledService[] = [];
  for (let i = 0; i < 2; i++) {
    const proxies = new Map<Member, Proxy>();
    for (const member of members) proxies.set(member, await startProxy(t, portOf(member)));
    const ports = Object.fromEntries([...proxies].map(([member, { port }]) => [portOf(member), port]));
    const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${redirect}`;
    services.push(
      await KilledService.begin(t, { DATABASE_URL, NODE_OPTIONS, PROXIES: JSON.stringify(ports) }),
    );
    proxiesOf.push(proxies);
  }
  const primary = () => memberThatIs('isWritablePrimary', members);
  const partition = (...directions: readonly Direction[]): Nemesis => [
    `a service is cut off from the primary, ${directions.join(' and ')}`,
    async (history) => {
      await history.progress(20 + random(100));
      const proxy = proxiesOf[random(2)]?.get(await primary());
      assert.ok(proxy !== undefined && proxy.mostConnections > 0, 'no service connects through the proxy');
      const release = proxy.hold(...directions);
      await setTimeout(awayMs);
      release();
    },
  ];
  const nemeses: Nemesis[] = [
    killOf(services, random),
    [
      'the primary is killed',
      async (history) => {
        await history.progress(20 + random(100));
        const member = await primary();
        await member.crash();
        await primary();
        await member.restart();
        await memberThatIs('secondary', [member]);
      },
    ],
    [
      'the primary is paused',
      async (history) => {
        await history.progress(20 + random(100));
        const member = await primary();
        member.pause();
        await setTimeout(awayMs);
        member.resume();
        await primary();
      },
    ],
    partition('toServer'),
    partition('toClient'),
    partition('toServer', 'toClient'),
  ];
  return { places: services, nemeses };
}

const linux = process.platform !== 'linux' && 'workers are found in /proc';
const setups: [
  name: string,
  skip: string | false,
  ms: number,
  start: (t: TestContext, random: Random) => Promise<Setup>,
][] = [
  ['SQLite, two processes on one file', linux, sqliteMs, twoProcesses],
  ['SQLite, two workers', linux || onlyLong, sqliteMs, twoWorkers],
  ['MongoDB, three members behind proxies', linux || ('skip' in set && set.skip), mongodbMs, threeMembers],
];

describe(`what ${clients} clients are told while services and members die is linearizable, and the feed has all of it (TEST_SEED=${seed})`, () => {
  for (const [name, skip, ms, start] of setups)
    test(name, { skip }, async (t) => {
      const random = createRandom(seed);
      const { places, nemeses } = await start(t, random);
      const history = new CatalogueHistory(t, places, random);
      const happened = new Map<string, number>();
      const end = performance.now() + ms;
      const play = async () => {
        // The short form has no time for all of them: each run begins with another one.
        for (let round = random(nemeses.length); performance.now() < end; round++) {
          const [what, act] = nemeses[round % nemeses.length] ?? ['nothing', () => Promise.resolve()];
          await history.round(clients, requests, () => act(history));
          happened.set(what, (happened.get(what) ?? 0) + 1);
        }
      };
      // Also if our checker has refused one: the other may accept it.
      await play().finally(() => compareOpinions(porcupine, history.histories));
      const judges = 'skip' in porcupine ? porcupine.skip : 'Porcupine agrees';
      t.diagnostic(`${JSON.stringify({ ...history.counts, ...Object.fromEntries(happened) })}; ${judges}`);
    });
});
