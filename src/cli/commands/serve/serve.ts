import { once } from 'node:events';
import { InvalidArgumentError, type Command } from 'commander';
import { ConfigError } from '../../../config/config-error.ts';
import { version } from '../../../../package.json';
import { describeSettings } from '../../../config/describe-settings.ts';
import {
  readServiceSettings,
  type ServiceSettings,
  type SettingSources,
  findSettingWarnings,
} from '../../../config/read-settings.ts';
import { flagName, rowOf, settingNames, type SettingName } from '../../../config/settings.ts';
import { addJsonOption } from '../../arguments.ts';
import { refusePassword, settingOption } from '../../database.ts';
import { createLogger } from '../../../server/observability/log.ts';
import type { Certificate } from '../../../server/config.ts';
import type { StorePassword } from '../../../server/routes/access.ts';
import {
  type ServeOptions,
  checkPlace,
  createStorePassword,
  listen,
  openServer,
  readCertificate,
  replaceCertificate,
} from './open-server.ts';
import { findFirstArticles } from './first-articles.ts';
import { KeptSettings } from './kept-settings.ts';
import { workerVariable, type PassedSocket, type Say } from './messages.ts';
import { isStoreFolder } from '../../../store/sqlite/setup.ts';
import { CommandError } from '../../command-error.ts';
import { notifySystemd, takePassedSocket } from './systemd.ts';
import { isSocketUrl } from '../../../lib/addresses.ts';
import { unixPeer } from '../../../lib/network.ts';
import { withInterrupt } from '../../ui/interrupt.ts';
import { plainLines, programName, type Io, writeJson } from '../../io.ts';

const help = () => `
Settings come from these flags, else the environment, else the .env file in this
folder, else their defaults:

${describeSettings()}
X_FILE names a file that holds the value of X. Secrets are never flags: every user
of the machine can read flags.

Examples:
  $ shelflist serve                   # at a terminal, asks for what is missing
  $ shelflist serve --init
  $ shelflist serve --port 0 --database-url file:/var/lib/shelflist
  $ SECRET_TOKEN_FILE=/run/secrets/token shelflist serve --host 0.0.0.0
  $ shelflist serve --workers auto
  $ shelflist serve --socket /run/shelflist/shelflist.sock   # for a proxy on this machine
  $ shelflist serve --open            # also opens the page, logged in
  $ shelflist serve --port 0 --json   # writes {"url": …, "pid": …} once it listens`;

export function defineServe(command: Command, io: Io): void {
  for (const name of settingNames) {
    const option = settingOption(name);
    // The address of a store may hold a password, which an error would repeat.
    if (option) command.addOption(name === 'databaseUrl' ? option : option.argParser(checkerOf(name)));
  }
  addJsonOption(command)
    .option('--init', 'write a missing .env first, as `init` does, without asking')
    .option('--open', 'open the page in the browser, logged in')
    .addHelpText('after', help)
    .action((options: ServeOptions) => serve(io, options, {}));
}

function checkerOf(name: SettingName): (text: string) => string {
  const { parse, expected } = rowOf(name).parser;
  return (text) => {
    if (parse(text) !== undefined) return text;
    throw new InvalidArgumentError(`expected ${expected}`);
  };
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

/** How the service reports its state, and what ends it besides signals. */
export interface Manner {
  /** Reports its state. Default: lines of the log. */
  readonly say?: Say;
  /** Called when it listens, instead of advice for a terminal. */
  readonly onOpen?: (url: string) => Promise<void>;
  readonly ended?: AbortSignal;
  /** Whether SIGHUP, as of a closed terminal, ends it. Default: SIGHUP is ignored, or reloads a certificate. */
  readonly endsOnHangUp?: boolean;
}

/** Serves until it is stopped. */
export async function serve(io: Io, given: ServeOptions, manner: Manner): Promise<void> {
  const { init = false, json = false, open: wantsPage = false, ...flags } = given;
  if (io.env[workerVariable] !== undefined) {
    const { isWorker, serveAsWorker } = await import('./worker.ts');
    if (isWorker()) return serveAsWorker();
  }
  refusePassword(flags.databaseUrl);
  const { passed, warning } = await takePassedSocket(io);
  const options = { ...given, passed };
  const { env, directory } = io;
  const sources = { flags, env, directory, program: programName(io) };
  const created = init || (isAtTerminal(io) && !json) ? await makeCatalogue(io, sources, options) : undefined;
  const open = wantsPage || created?.hasScreen === true;
  const settings = await readServiceSettings(sources);
  refuseTwoPlaces(settings, flags);
  const say = manner.say ?? sayAs(io, settings);
  if (warning !== undefined) say(warning, 'warn');
  if (created !== undefined) say(created.message);
  let remove = created?.remove;
  const onListening = () => {
    remove = undefined;
  };
  try {
    await serveWith(io, { sources, options, given: settings, say, json, open, onListening, manner });
  } catch (error) {
    const removed = await remove?.();
    if (removed !== undefined) say(removed);
    throw error;
  }
}

/** @throws {CommandError} `usage`: a flag names a port, but the service would listen on a socket. */
function refuseTwoPlaces({ socket }: ServiceSettings, flags: SettingSources['flags']): void {
  const name = (['host', 'port'] as const).find((each) => flags?.[each]);
  if (socket.value === undefined || name === undefined) return;
  throw new CommandError('usage', {
    message: `SOCKET (${socket.source}) names a socket to listen on, and ${flagName(name)} a port; leave one of them out`,
  });
}

interface Start extends Pick<Run, 'json' | 'open' | 'say' | 'onListening' | 'manner'> {
  readonly sources: SettingSources;
  readonly options: ServeOptions;
  /** The settings, which may lack the articles of a first start. */
  readonly given: ServiceSettings;
}

/** Serves with these settings until it is stopped. */
async function serveWith(
  io: Io,
  { sources, options, given, say, json, open, onListening, manner }: Start,
): Promise<void> {
  await checkPlace(io, given, options);
  for (const { finding, fix } of await findSettingWarnings(given, sources))
    say(`${finding} (fix: ${fix})`, 'warn');
  const [, folder] = /^file:(.*)/s.exec(given.databaseUrl.value) ?? [];
  const isNew = folder !== undefined && !(await isStoreFolder(folder));
  const first = isNew ? await findFirstArticles(io, given) : undefined;
  const found = first?.settings ?? given;
  // Even if the port cannot be used, the store already has its order, and the next start is no longer the first.
  const onStarted = async () => {
    if (first !== undefined && (await isStoreFolder(folder ?? ''))) await first.keep(say);
  };
  const kept = new KeptSettings(sources, found);
  const service = await createService(found, say, createStorePassword(io.directory), kept, options.passed);
  const { endsOnHangUp = false } = manner;
  const onHangUp = hangUpHandler(say, reloadOf(found, sources, service));
  if (!endsOnHangUp) process.on('SIGHUP', onHangUp);
  try {
    const serving = async (interrupted: AbortSignal) => {
      try {
        await run(io, service, found, {
          json,
          open,
          say,
          manner,
          interrupted,
          isNew,
          onStarted,
          onListening,
        });
      } catch (error) {
        // Ctrl-C in a terminal also ends a worker that is starting, which is not a failure.
        if (!interrupted.aborted) throw error;
      } finally {
        await service.close();
        await kept.close();
      }
    };
    await withInterrupt(io, serving, { endsOnHangUp });
  } finally {
    process.off('SIGHUP', onHangUp);
  }
  say('stopped');
}

function isAtTerminal({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

async function makeCatalogue(io: Io, sources: SettingSources, options: ServeOptions) {
  const { createCatalogue } = await import('./first-start.ts'); // Loaded only here, for a fast start.
  return createCatalogue(io, sources, options);
}

interface Run {
  readonly json: boolean;
  readonly open: boolean;
  readonly say: Say;
  readonly manner: Manner;
  readonly interrupted: AbortSignal;
  /** Whether the folder had no store. */
  readonly isNew: boolean;
  /** Called after the attempt to listen, before anything is said about it. */
  readonly onStarted: () => Promise<void>;
  /** Called when the service listens. */
  readonly onListening: () => void;
}

/** Runs a service until it fails or is interrupted. */
async function run(
  io: Io,
  service: Service,
  settings: ServiceSettings,
  { json, open, say, manner: { onOpen, ended: replaced }, interrupted, isNew, onStarted, onListening }: Run,
): Promise<void> {
  const { failure } = service;
  const ended = AbortSignal.any([interrupted, failure ?? [], replaced ?? []].flat());
  const url = await unless(ended, service.listen().finally(onStarted));
  if (url !== undefined) {
    onListening();
    if (json) await writeJson(io, { url, pid: process.pid });
    say(`version ${version} listens on ${url}${workersOf(settings)}`);
    if (isSocketUrl(url) && !settings.trustedProxies.value.includes(unixPeer))
      say(
        'all clients share one limit of failed logins, because connections over a unix socket have no address (fix: if only a proxy can connect to it, set TRUSTED_PROXIES=unix)',
        'warn',
      );
    if (settings.logFormat.value === 'text' && onOpen === undefined) {
      const { advise } = await import('./advise.ts'); // Loaded when the service has begun to answer.
      await advise(io, url, settings, isNew);
    }
    if (onOpen !== undefined) await onOpen(url);
    if (open) say(await openOwnPage(io, url, settings));
    await notifySystemd(io, say, 'READY=1');
    if (!ended.aborted) await once(ended, 'abort');
  }
  failure?.throwIfAborted();
  say('stopping: requests in flight are answered first');
  await notifySystemd(io, say, 'STOPPING=1');
}

/** Opens the page, logged in as the only user; returns what to say. */
async function openOwnPage(io: Io, url: string, settings: ServiceSettings): Promise<string> {
  const { page, authUsername, authPassword } = settings;
  if (!page.value) return '--open does nothing: there is no page, because PAGE is false';
  if (isSocketUrl(url)) return '--open does nothing: browsers cannot connect to a unix socket';
  const { connect } = await import('../../session/connection.ts');
  const { openPage } = await import('../../ui/open-page.ts');
  const { localAddress } = await import('./advise.ts');
  const address = localAddress(url);
  const client = connect({ url: address });
  try {
    await client.login(authUsername.value, authPassword.value);
    return (await openPage(io, address, client)).message;
  } catch (error) {
    return `cannot log in to open the page: ${(error as Error).message}`;
  } finally {
    client.close();
  }
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

/** What SIGHUP does, whose default would end the process: `systemctl reload`, or a terminal that is closed. */
function hangUpHandler(say: Say, reload: (() => Promise<string>) | undefined): () => void {
  if (reload === undefined)
    return () => {
      say('SIGHUP is ignored: settings are read at the start; restart the service to change them');
    };
  return () => {
    reload().then(say, (error: unknown) => {
      say(`the certificate stays as it was: ${(error as Error).message}`, 'warn');
    });
  };
}

/** The action of SIGHUP: reads a renewed certificate. `undefined` without HTTPS. */
function reloadOf({ tlsCert }: ServiceSettings, sources: SettingSources, service: Service) {
  if (tlsCert.value === undefined) return undefined;
  return async () => {
    const certificate = await readCertificate(sources);
    if (certificate === undefined) throw new ConfigError('none is set any more');
    service.replaceCertificate(certificate);
    return 'new connections use the certificate as it is now';
  };
}

/** Workers with separate stores would assign the same ids. */
function refusePerProcess({ databaseUrl, workers }: ServiceSettings): void {
  if (!databaseUrl.value.startsWith('memory:')) return;
  throw new ConfigError(
    `DATABASE_URL (${databaseUrl.source}) is the memory of one process, but WORKERS is ${workers.value} ` +
      `(${workers.source}); use file:PATH or MongoDB, or one worker`,
  );
}

async function createService(
  settings: ServiceSettings,
  say: Say,
  storePassword: StorePassword,
  kept: KeptSettings,
  passed: PassedSocket | undefined,
): Promise<Service> {
  if (settings.workers.value > 1) {
    refusePerProcess(settings);
    const { Workers } = await import('./primary.ts');
    return new Workers(settings, say, storePassword, kept, passed);
  }
  const server = await openServer(settings, storePassword, { settings: kept });
  return {
    listen: async () => (kept.url = await listen(server, settings, passed)),
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

/** Reports the state of the service, or a problem (`warn`), as a line of the log, at any level. */
function sayAs(io: Io, { logFormat }: ServiceSettings): Say {
  const logger = createLogger('info', logFormat.value, (line) => io.stderr.write(line));
  return (text, level = 'info') => {
    logger[level]({}, logFormat.value === 'text' ? plainLines(text) : text);
  };
}

function workersOf({ workers }: ServiceSettings): string {
  return workers.value > 1 ? ` with ${workers.value} workers` : '';
}
