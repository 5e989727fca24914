import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { version } from '../../../../package.json';
import { readDotenv } from '../../../config/environment.ts';
import { createSettingFinder, readServiceSettings } from '../../../config/read-settings.ts';
import { describeWriteProblem } from '../../../config/write-problem.ts';
import { systemLocale } from '../../../config/system-articles.ts';
import { isLoopback, isTaken } from '../../../lib/network.ts';
import { makeFolder } from '../../../lib/make-folder.ts';
import { isStoreFolder } from '../../../store/sqlite/setup.ts';
import { startTexts } from '../../../texts/start-texts.ts';
import { chooseLanguage } from '../../../texts/texts.ts';
import { CommandError } from '../../command-error.ts';
import { notice, programName, type Io } from '../../io.ts';
import { ask } from '../../prompt.ts';
import { connect } from '../../session/connection.ts';
import { openPage } from '../../ui/open-page.ts';
import { localAddress } from './advise.ts';
import { documentsFolder } from './documents-folder.ts';
import { findFreePort, type ServeOptions } from './open-server.ts';
import { claimFolder, endRunning, findRunning, type Claim, type Running } from './running.ts';
import { serve } from './serve.ts';

const help = `
The starter of the program without Node runs this command. It uses the language of the
system, and shows no log. The books are in the folder shelflist in your documents, or in
this folder if they are here already: every version finds them. If the service is
running, only its page opens. If an older version is running, \`start\` offers to stop it.
If another program uses the port, \`start\` takes the next free one.

Examples:
  $ shelflist start`;

export function defineStart(command: Command, io: Io): void {
  command.addHelpText('after', help).action(() => start(io));
}

/** A little more than the time that a closing service gives to requests in flight. */
const maxEndMs = 15_000;
const endCheckMs = 100;

async function start(outer: Io): Promise<void> {
  const folder = await findFolder(outer);
  enter(folder);
  const io = Object.create(outer, { directory: { value: folder } }) as Io;
  const texts = startTexts[chooseLanguage([systemLocale(io.env)])];
  const running = await findRunning(folder);
  if (running !== undefined && (await opensPage(io, running, false))) {
    if (
      running.version === version ||
      !(await isToReplace(io, texts.replace(running.version, version), texts.yes))
    ) {
      notice(io, texts.runs);
      await opensPage(io, running, true);
      return;
    }
    await endRunning(folder);
    if (!(await hasEnded(running))) throw new CommandError('failed', { message: texts.staysOpen });
  }
  const isKnown = await hasCatalogue(folder);
  notice(io, isKnown ? texts.found(version, folder) : texts.made(folder));
  const { options, taken } = await findOptions(io);
  if (taken !== undefined) notice(io, texts.otherPort(taken, Number(options.port)));
  const ended = new AbortController();
  let claim: Claim | undefined;
  try {
    await serve(io, options, {
      say: (text, level) => {
        if (level === 'warn') notice(io, text);
      },
      endsOnHangUp: true,
      ended: ended.signal,
      async onOpen(url) {
        const address = localAddress(url);
        claim = await claimFolder(folder, { url: address, version });
        claim.lost.addEventListener('abort', () => {
          ended.abort();
        });
        notice(io, `${texts.opened(`${address}/`)}\n${texts.leaveOpen}`);
      },
    });
  } finally {
    await claim?.release();
  }
  if (ended.signal.aborted) notice(io, texts.replaced);
}

/** The folder of the catalogue: this folder if it has a catalogue, else `shelflist` in the user's documents. */
async function findFolder({ env, directory }: Io): Promise<string> {
  if (await hasCatalogue(directory)) return directory;
  return join(await documentsFolder(env), 'shelflist');
}

/** Whether a folder has a catalogue. Other projects have a `.env`, too, but not with this secret. */
async function hasCatalogue(folder: string): Promise<boolean> {
  if (await isStoreFolder(join(folder, 'data'))) return true;
  return (await readDotenv(folder))?.SECRET_TOKEN !== undefined;
}

/** Makes a folder the working directory. @throws {CommandError} It cannot be made, or entered. */
function enter(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    process.chdir(folder); // The settings name the store relative to it.
  } catch (error) {
    throw new CommandError('failed', { message: describeWriteProblem(folder, error), cause: error });
  }
}

/** Whether a service accepts the login of this folder, and so belongs to it. @param isShown Whether to open its page. */
async function opensPage(io: Io, { url }: Running, isShown: boolean): Promise<boolean> {
  const { env, directory } = io;
  const client = connect({ url });
  try {
    const settings = await readServiceSettings({ flags: {}, env, directory, program: programName(io) });
    await client.login(settings.authUsername.value, settings.authPassword.value);
    if (isShown) await openPage(io, url, client);
    return true;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

async function isToReplace(io: Io, question: string, yes: RegExp): Promise<boolean> {
  if (io.stdin.isTTY !== true) return false;
  const answer = await ask(io, `${question} `);
  return answer !== undefined && (answer.trim() === '' || yes.test(answer.trim()));
}

async function hasEnded({ url }: Running): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  for (let waited = 0; waited < maxEndMs; waited += endCheckMs) {
    if (!(await isTaken(host, Number(port)))) return true;
    await wait(endCheckMs);
  }
  return false;
}

/**
 * The options of the service. Nobody but this machine relies on the port of a loopback address: if it is taken, the next free one
 * is used, unless the environment names it.
 */
async function findOptions(io: Io): Promise<{ options: ServeOptions; taken?: number }> {
  const { env, directory } = io;
  const find = await createSettingFinder({ flags: {}, env, directory, program: programName(io) });
  const socket = await find('socket');
  if (socket !== undefined)
    throw new CommandError('failed', {
      message: `\`start\` opens the page in a browser, which cannot connect to a socket; remove SOCKET (${socket.source}), or run \`shelflist serve\``,
    });
  const level = (await find('logLevel'))?.source === 'default' ? { logLevel: 'error' } : {};
  const options: ServeOptions = { init: true, open: true, ...level };
  const { value: host = '' } = (await find('host')) ?? {};
  const { value = '', source = '' } = (await find('port')) ?? {};
  const port = Number(value);
  if (source.startsWith('environment') || !isLoopback(host) || !(port > 0) || !(await isTaken(host, port)))
    return { options };
  const free = await findFreePort(host, port);
  return free === undefined ? { options } : { options: { ...options, port: String(free) }, taken: port };
}
