import type { Answer } from '../answer.ts';
import { generateLoad } from '../generator.ts';
import { readMemoryMb } from '../proc.ts';
import { settle } from '../seed.ts';
import type { Stage, StartOptions } from '../stage.ts';
import { translate } from '../pocketbase.ts';
import { ceiling, ours, pocketBase, targetsOn, type Store, type Target } from '../targets.ts';
import { tryRequest, type Request } from './requests.ts';
import type { Sample, Setting, Workload } from './workload.ts';

/** A workload that repeats one request, or two kinds of requests. */
export interface HttpWorkload {
  readonly name: string;
  readonly title: string;
  readonly stores?: readonly Store[];
  readonly connections?: number;
  readonly request: Request;
  readonly other?: { readonly request: Request; readonly oneIn: number };
  /** Whether the catalogue grows, so the workload needs its own database. */
  readonly grows?: boolean;
}

/** The responses that the `node:http` server repeats, by workload and store. */
const recorded = new Map<string, Promise<Record<string, Answer>>>();

export function createHttpWorkload(workload: HttpWorkload): Workload {
  const { name, title, stores = ['embedded', 'mongodb'] } = workload;
  return {
    name,
    title,
    stores,
    targets: (store) => targetsOn(store, name).map((target) => target.name),
    compared: { figure: 'perSecond', with: ceiling.name },
    async measure(setting, targetName) {
      const { stage, store } = setting;
      const target = targetsOn(store, name).find((each) => each.name === targetName) ?? ours;
      const options = await prepare(stage, store, target, workload);
      return measureLoad(setting, target, workload, options);
    },
  };
}

/** Returns the start options of a server. */
export async function prepare(
  stage: Stage,
  store: Store,
  target: Target,
  workload: HttpWorkload,
): Promise<StartOptions> {
  if (target === ceiling) {
    const key = `${workload.name} ${store}`;
    const answers = recorded.get(key) ?? record(stage, store, workload);
    recorded.set(key, answers);
    return { answers: await answers };
  }
  if (target !== ours || store !== 'mongodb' || workload.grows !== true) return {};
  return { database: await stage.seeded(store, stage.books, workload.name) };
}

async function record(stage: Stage, store: Store, workload: HttpWorkload): Promise<Record<string, Answer>> {
  const server = await stage.start(ours, store, await prepare(stage, store, ours, workload));
  try {
    const loggedIn = await stage.logIn(ours, server.url);
    const answers: Record<string, Answer> = {};
    for (const request of requestsOf(workload))
      answers[request.method] = (await tryRequest(server.url, request, loggedIn)).answer;
    return answers;
  } finally {
    await server.stop();
  }
}

/** Starts a server, drives it, and stops it. */
export async function measureLoad(
  { stage, store, warmUpSeconds, seconds, isSmoke }: Setting,
  target: Target,
  workload: HttpWorkload,
  options: StartOptions,
): Promise<Sample> {
  const server = await stage.start(target, store, options);
  try {
    const loggedIn = await stage.logIn(target, server.url);
    const [main, other] = await Promise.all(
      requestsOf(workload)
        .map((request) => (target === pocketBase ? translate(request) : request))
        .map((request) => tryRequest(server.url, request, loggedIn)),
    );
    if (main === undefined) throw new Error('a workload without a request');
    // The previous measurement may have left background work.
    if (!isSmoke) await settle(server);
    const { failedPercent, ...figures } = await generateLoad({
      url: server.url,
      connections: isSmoke ? 4 : (workload.connections ?? 64),
      warmUpSeconds,
      seconds,
      main: main.template,
      ...(workload.other && other && { other: { request: other.template, oneIn: workload.other.oneIn } }),
      pids: server.pids(),
    });
    return {
      ...figures,
      peakMb: readMemoryMb(server.pids(), 'VmHWM'),
      ...(failedPercent > 0 && { failedPercent }),
    };
  } finally {
    await server.stop();
  }
}

function requestsOf({ request, other }: HttpWorkload): Request[] {
  return other === undefined ? [request] : [request, other.request];
}
