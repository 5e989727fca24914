import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { once } from 'node:events';
import { createFailure } from '../../command-error.ts';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import type { Login } from '../../../auth/credentials.ts';
import type { StorePassword } from '../../../server/routes/access.ts';
import type { Certificate } from '../../../server/config.ts';
import { createLogger } from '../../../server/observability/log.ts';
import { Changes, liveOf } from './kept-settings.ts';
import { listen, openServer, replaceCertificate } from './open-server.ts';
import { type Order, type Report, failureOf, isOrder, sendReport } from './messages.ts';
import { type Metrics, createMetrics } from '../../../server/observability/metrics.ts';
import { withTimeout } from '../../../lib/timeout.ts';
import type { LiveSettings, SettingsPatch } from '../../../catalogue/changeable-settings.ts';
import type { SettingsKeeper } from '../../../server/routes/settings.ts';
import type { LookUp } from '../../../lookup/look-up.ts';
import type { LoginCodes } from '../../../auth/login-codes.ts';
import type { LoginRateLimit } from '../../../auth/login-rate-limit.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';

/** Whether this process was forked by a primary. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/**
 * Serves as one of several workers until the primary stops it or exits. Errors are sent to the primary, which reports them.
 */
export async function serveAsWorker(): Promise<void> {
  const { start, stop, release } = watchOrders();
  const applyCertificates = watchCertificates();
  const login = watchLogin();
  const settings = watchSettings();
  try {
    await sendReport({ report: 'ready' }); // Orders sent before the worker listens for them could be lost.
    const order = await start;
    if (order === undefined) return;
    const server = await openServer(order.settings, createStorePassword(), {
      warn: order.warn,
      login,
      metrics: createWorkerMetrics(),
      loginRateLimit: createWorkerRateLimit(),
      loginCodes: createWorkerCodes(),
      lookUp: createWorkerLookUp(),
      settings,
    });
    applyCertificates(server, order.settings);
    try {
      const url = await listen(server, order.settings, order.passed);
      await sendReport({ report: 'listening', url });
      if (!stop.aborted) await once(stop, 'abort');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  } catch (error) {
    await sendReport({ report: 'failed', ...failureOf(error) });
  } finally {
    release();
  }
}

const orderHandlers: ((order: Order) => void)[] = [];

/** Calls a function with each order of the primary. One listener serves all: Node warns of more than ten. */
function onOrder(handle: (order: Order) => void): void {
  if (orderHandlers.push(handle) > 1) return;
  process.on('message', (message) => {
    if (isOrder(message)) for (const each of orderHandlers) each(message);
  });
}

/**
 * Keeps the last certificate that the primary sends, which may arrive while the server opens. Returns the function that applies
 * it to the server, and then each later one.
 */
function watchCertificates(): (server: Server, settings: ServiceSettings) => void {
  let last: Certificate | undefined;
  let apply = (): void => undefined;
  onOrder((message) => {
    if (message.order !== 'secure') return;
    last = message.certificate;
    apply();
  });
  return (server, { logLevel, logFormat }) => {
    const logger = createLogger(logLevel.value, logFormat.value);
    apply = () => {
      try {
        if (last !== undefined) replaceCertificate(server, last);
      } catch (error) {
        logger.warn({}, `the certificate of a worker stays as it was: ${(error as Error).message}`);
      }
    };
    apply();
  };
}

/** The accepted login. The primary replaces its password, perhaps while the server opens. */
function watchLogin(): Login {
  const login = { username: '', password: '' };
  onOrder((message) => {
    if (message.order === 'start') {
      const { authUsername, authPassword } = message.settings;
      Object.assign(login, { username: authUsername.value, password: authPassword.value });
    }
    if (message.order === 'accept') login.password = message.password;
  });
  return login;
}

/** An order that answers a question. */
type Answer<Kind> = Extract<Order, { readonly order: Kind; readonly ask: number }>;

/** Creates the function that asks the primary something, and returns its answer: an order of this kind. */
function createQuestions<Kind extends 'show' | 'stored' | 'settings' | 'limit' | 'code' | 'found'>(
  kind: Kind,
) {
  const asked = new Map<number, (answer: Answer<Kind>) => void>();
  let asks = 0;
  onOrder((message) => {
    if (message.order !== kind) return;
    const answer = message as Answer<Kind>;
    asked.get(answer.ask)?.(answer);
    asked.delete(answer.ask);
  });
  return async (reportOf: (ask: number) => Report): Promise<Answer<Kind>> => {
    const ask = ++asks;
    const answer = new Promise<Answer<Kind>>((resolve) => asked.set(ask, resolve));
    await sendReport(reportOf(ask));
    return answer;
  };
}

/** Stores new passwords by the primary: one process writes them. */
function createStorePassword(): StorePassword {
  const ask = createQuestions('stored');
  return async (password, previous) => {
    const { failure } = await ask((id) => ({ report: 'password', ask: id, password, previous }));
    if (failure) throw createFailure(failure.code, failure.message);
  };
}

/** The settings that requests can change. The primary keeps them, and sends each change, even while the server is opening. */
function watchSettings(): SettingsKeeper {
  const ask = createQuestions('settings');
  const changes = new Changes();
  let live: LiveSettings | undefined;
  onOrder((message) => {
    if (message.order === 'start') live = liveOf(message.settings);
    if (message.order !== 'apply') return;
    live = message.live;
    changes.run().catch((error: unknown) => {
      process.emitWarning(`a worker cannot use changed settings: ${(error as Error).message}`);
    });
  });
  const request = async (patch?: SettingsPatch) => {
    const { settings, failure } = await ask((id) => ({
      report: 'settings',
      ask: id,
      ...(patch && { patch }),
    }));
    if (failure) throw createFailure(failure.code, failure.message);
    if (settings === undefined) throw new ShelflistError('unavailable');
    return settings;
  };
  return {
    get live() {
      if (live === undefined) throw new Error('the worker has not started');
      return live;
    },
    read: () => request(),
    change: request,
    onChange: (apply) => changes.add(apply),
  };
}

interface Orders {
  /** The order to start; `undefined` if the worker is stopped before. */
  readonly start: Promise<Extract<Order, { order: 'start' }> | undefined>;
  /** Aborted when the worker has to stop. */
  readonly stop: AbortSignal;
  /** Lets the process exit. */
  readonly release: () => void;
}

function watchOrders(): Orders {
  const stop = new AbortController();
  const onEnd = () => {
    stop.abort();
  };
  const start = new Promise<Extract<Order, { order: 'start' }> | undefined>((resolve) => {
    stop.signal.addEventListener('abort', () => {
      resolve(undefined);
    });
    onOrder((message) => {
      if (message.order === 'start') resolve(message);
      if (message.order !== 'stop') return;
      onEnd();
      // From here on the primary exits before its workers only after a second signal; then they exit at once too.
      endWithPrimary(true);
    });
  });
  endWithPrimary(false);
  process.once('disconnect', onEnd);
  // A terminal sends Ctrl-C to all processes; the primary decides what to do.
  const ignore = () => undefined;
  process.on('SIGINT', ignore).on('SIGHUP', ignore).on('SIGTERM', onEnd);
  return {
    start,
    stop: stop.signal,
    release: () => {
      endWithPrimary(false);
      if (process.connected) process.disconnect();
    },
  };
}

/** Sets whether Node ends this process as soon as the primary has gone. */
function endWithPrimary(atOnce: boolean): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = !atOnce;
}

/** Exceeds the timeout of the primary. */
const timeoutMs = 3000;

/**
 * Counts the requests of this worker. The text has the metrics of all workers, whichever of them answers.
 */
function createWorkerMetrics(): Metrics {
  const own = createMetrics();
  const ask = createQuestions('show');
  onOrder((message) => {
    if (message.order === 'tell')
      void sendReport({ report: 'told', round: message.round, numbers: own.numbers() });
  });
  return {
    ...own,
    async text() {
      const shown = ask((id) => ({ report: 'asked', ask: id }));
      return (await withTimeout(timeoutMs, shown)).text;
    },
  };
}

/** The limit of failed logins of all workers, which the primary keeps. */
function createWorkerRateLimit(): LoginRateLimit {
  const ask = createQuestions('limit');
  const askAbout = async (address: string, hasFailed: boolean) => {
    const asking = ask((id) => ({ report: 'login', ask: id, address, hasFailed }));
    return (await inTime(asking)).seconds;
  };
  return {
    wait: (address) => askAbout(address, false),
    fail: (address) => askAbout(address, true),
  };
}

/** The codes of all workers, which the primary keeps: whichever worker gets a code can exchange it. */
function createWorkerCodes(): LoginCodes {
  const ask = createQuestions('code');
  return {
    async create(token) {
      const { text } = await inTime(ask((id) => ({ report: 'code', ask: id, token })));
      return text ?? '';
    },
    take: async (code) => (await inTime(ask((id) => ({ report: 'exchange', ask: id, code })))).text,
  };
}

/** @throws {ShelflistError} `unavailable` */
function inTime<T>(asking: Promise<T>): Promise<T> {
  return withTimeout(timeoutMs, asking).catch((cause: unknown) => {
    throw new ShelflistError('unavailable', { message: 'the primary process does not answer', cause });
  });
}

/** Looks books up by the primary, so that all workers together ask for a number once. */
function createWorkerLookUp(): LookUp {
  const ask = createQuestions('found');
  return async (isbn) => {
    const { book, failure } = await ask((id) => ({ report: 'lookup', ask: id, isbn }));
    if (failure) throw createFailure(failure.code, failure.message);
    return book;
  };
}
