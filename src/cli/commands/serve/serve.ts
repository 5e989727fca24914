import { once } from 'node:events';
import { InvalidArgumentError, type Command } from 'commander';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { version } from '../../../../package.json';
import { describeSettings } from '../../../config/describe-settings.ts';
import {
  readServiceSettings,
  type ServiceSettings,
  type SettingSources,
  findSettingWarnings,
} from '../../../config/read-settings.ts';
import { settingNames, settings } from '../../../config/settings.ts';
import { addJsonOption } from '../../arguments.ts';
import { refusePassword, settingOption } from '../../database.ts';
import { createLogger } from '../../../server/observability/log.ts';
import type { Certificate } from '../../../server/config.ts';
import {
  type ServeOptions,
  checkPort,
  listen,
  openServer,
  readCertificate,
  replaceCertificate,
} from './open-server.ts';
import { workerVariable } from './messages.ts';
import { Supervisor, type Say } from './supervisor.ts';
import { watchInterrupt } from '../../ui/interrupt.ts';
import { notice, programName, type Io } from '../../io.ts';
import { writeJson } from '../../ui/terminal.ts';

const help = () => `
Settings come from these flags, else the environment, else the .env file in this
folder, else their defaults:

${describeSettings()}
X_FILE names a file that holds the value of X. Secrets are never flags: every user of
the machine could read them.

Examples:
  $ shelflist init && shelflist serve
  $ shelflist serve --port 0 --database-url file:/var/lib/shelflist
  $ SECRET_TOKEN_FILE=/run/secrets/token shelflist serve --host 0.0.0.0
  $ shelflist serve --workers auto
  $ shelflist serve --port 0 --json      # writes {"url": …, "pid": …} once it listens`;

export function defineServe(command: Command, io: Io): void {
  for (const name of settingNames) {
    const option = settingOption(name);
    if (option) command.addOption(name === 'workers' ? option.argParser(checkWorkers) : option);
  }
  addJsonOption(command)
    .addHelpText('after', help)
    .action((options: ServeOptions) => serve(io, options));
}

function checkWorkers(text: string): string {
  const { parse, expected } = settings.workers.parser;
  if (parse(text) !== undefined) return text;
  throw new InvalidArgumentError(`expected ${expected}`);
}

/** The running service: this process, or its workers. */
interface Service {
  /** Returns the address. */
  listen(): Promise<string>;
  /** Aborted, with the reason, if the service fails. */
  readonly failure?: AbortSignal;
  /** Uses another certificate for new connections. */
  replaceCertificate(certificate: Certificate): void;
  close(): Promise<void>;
}

async function serve(io: Io, options: ServeOptions): Promise<void> {
  const { json, ...flags } = options;
  if (io.env[workerVariable] !== undefined) {
    const { isWorker, serveAsWorker } = await import('./worker.ts');
    if (isWorker()) return serveAsWorker();
  }
  refusePassword(flags.databaseUrl);
  const { env, directory } = io;
  const sources = { flags, env, directory, program: programName(io) };
  const found = await readServiceSettings(sources);
  const say = sayAs(io, found);
  await checkPort(io, found, options);
  for (const { finding, fix } of await findSettingWarnings(found, sources))
    say(`${finding} (fix: ${fix})`, 'warn');
  const service = await createService(found, say);
  const interrupt = watchInterrupt(env);
  const supervisor = new Supervisor(env, say, reloadOf(found, sources, service));
  try {
    const ends = [interrupt.signal, ...(service.failure ? [service.failure] : [])];
    const ended = AbortSignal.any(ends);
    const url = await unless(ended, service.listen());
    if (url !== undefined) {
      if (json) await writeJson(io, { url, pid: process.pid });
      say(`shelflist ${version} listens on ${url}${workersOf(found)}`);
      if (found.logFormat.value === 'text') {
        const { advise } = await import('./advise.ts'); // Loaded when the service has begun to answer.
        await advise(io, url, found);
      }
      await supervisor.notify('READY=1');
      if (!ended.aborted) await once(ended, 'abort');
    }
    service.failure?.throwIfAborted();
    say('stopping: requests in flight are answered first');
    await supervisor.notify('STOPPING=1');
  } catch (error) {
    // Ctrl-C in a terminal also ends a worker that is starting, which is not a failure.
    if (!interrupt.signal.aborted) throw error;
  } finally {
    await service.close();
    await interrupt.settled();
    interrupt.release();
    supervisor.release();
  }
  say('stopped');
}

/** The value of a promise, or `undefined` once the signal aborts: a worker may hang while it starts. */
async function unless<T>(ended: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  promise.catch(() => undefined); // After an abort, nothing awaits it.
  const over = new AbortController();
  try {
    if (ended.aborted) return undefined;
    return await Promise.race([promise, once(ended, 'abort', over).then(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** Reads a renewed certificate, which is what SIGHUP is for; `undefined` without HTTPS. */
function reloadOf({ tlsCert }: ServiceSettings, sources: SettingSources, service: Service) {
  if (tlsCert.value === undefined) return undefined;
  return async () => {
    const certificate = await readCertificate(sources);
    if (certificate === undefined) throw new ShelflistError('config', { message: 'none is set any more' });
    service.replaceCertificate(certificate);
    return 'new connections use the certificate as it is now';
  };
}

/** Workers with separate stores would assign the same ids. */
function refusePerProcess({ databaseUrl, workers }: ServiceSettings): void {
  if (!databaseUrl.value.startsWith('memory:')) return;
  throw new ShelflistError('config', {
    message:
      `DATABASE_URL (${databaseUrl.source}) is the memory of one process, but WORKERS is ${workers.value} ` +
      `(${workers.source}); use file:PATH or MongoDB, or one worker`,
  });
}

async function createService(settings: ServiceSettings, say: Say): Promise<Service> {
  if (settings.workers.value > 1) {
    refusePerProcess(settings);
    const { Workers } = await import('./primary.ts');
    return new Workers(settings, say);
  }
  const server = await openServer(settings);
  return {
    listen: () => listen(server, settings),
    replaceCertificate: (certificate) => {
      replaceCertificate(server, certificate);
    },
    close: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}

/** Creates the function that reports the state of the service, or a problem (`warn`); as a log line if the log is JSON, whatever the level. */
function sayAs(io: Io, { logFormat }: ServiceSettings): Say {
  if (logFormat.value === 'text')
    return (text, level) => {
      notice(io, level === 'warn' ? `warning: ${text}` : text);
    };
  const logger = createLogger('info', 'json');
  return (text, level = 'info') => {
    logger[level]({}, text);
  };
}

function workersOf({ workers }: ServiceSettings): string {
  return workers.value > 1 ? ` with ${workers.value} workers` : '';
}
