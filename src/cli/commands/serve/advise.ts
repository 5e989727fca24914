import type { ServiceSettings } from '../../../config/read-settings.ts';
import { type Io, notice, programName, shellWord } from '../../io.ts';
import { isDescribed, readDotenvService } from '../../session/dotenv.ts';
import { findTarget } from '../../session/target.ts';
import { addressesForOthers, isEverywhere, isSocketUrl } from '../../../lib/addresses.ts';
import { isLoopback } from '../../../lib/network.ts';
import { redactStoreUrl } from '../../../store/drivers.ts';

/**
 * Shows where the books are, and the next command.
 *
 * @param isNew Whether the folder had no store: its name may be mistyped.
 */
export async function advise(io: Io, url: string, settings: ServiceSettings, isNew: boolean): Promise<void> {
  const { databaseUrl, page } = settings;
  if (page.value && !isSocketUrl(url)) notice(io, `the page for browsers:  ${localAddress(url)}/`);
  if (databaseUrl.value.startsWith('memory:'))
    notice(io, 'the books are in memory, and gone when the service stops');
  else {
    const place = (await redactStoreUrl(databaseUrl.value)).replace(/^file:/, '');
    notice(io, `the books are in ${place}${isNew ? ', a new, empty store' : ''}`);
  }
  if (isSocketUrl(url)) {
    const path = shellWord(url.slice('unix:'.length));
    notice(
      io,
      'browsers and commands reach it through a proxy on this machine: give commands the address of the proxy with --url',
    );
    notice(io, `to try it:  curl --unix-socket ${path} http://localhost${settings.prefix.value}/livez`);
  } else await adviseOnCommands(io, url, settings);
  notice(io, 'Ctrl-C stops it');
}

/** Shows how to reach a service on a port, and the next command. */
async function adviseOnCommands(io: Io, url: string, settings: ServiceSettings): Promise<void> {
  const address = localAddress(url);
  for (const line of describeReach(url)) notice(io, line);
  const dotenv = await readDotenvService(io.directory).catch((error: unknown) => {
    notice(io, `warning: commands in this folder need --url: ${(error as Error).message}`);
    return undefined;
  });
  const hasPassword = dotenv?.password !== undefined && isDescribed(dotenv, address);
  const login = hasPassword ? '' : `${(await findTarget(io, { url: address })).loginLine}  then  `; // Else commands log in by themselves.
  notice(io, `next, in another terminal in this folder:  ${login}${programName(io)} --help`);
  if (dotenv?.password !== undefined && !hasPassword) {
    // The next start may omit the flag: then only a PORT in .env also sets the port of the service.
    const isFlag = ({ source }: { readonly source: string }) => source.startsWith('flag ');
    const isPort = isFlag(settings.port) && settings.port.value !== 0 && !isFlag(settings.host);
    const line = isPort ? `PORT=${settings.port.value}` : `SHELFLIST_URL=${address}`;
    notice(io, `or add this line to .env, to log in with the password there:  ${line}`);
  }
}

/** The address of the service on this machine. */
export function localAddress(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
}

/** Describes how other machines reach the service; empty if they cannot. */
export function describeReach(url: string, interfaces?: Parameters<typeof addressesForOthers>[1]): string[] {
  const { hostname, protocol } = new URL(url);
  if (isLoopback(hostname)) return [];
  const addresses = isEverywhere(url) ? addressesForOthers(url, interfaces) : [];
  const reachable = addresses.map((address) => `from other machines:  ${address}`);
  if (protocol === 'https:') return reachable;
  return [
    ...reachable,
    'this is plain HTTP: the network can read passwords and books',
    'for HTTPS, set TLS_CERT and TLS_KEY, or put a proxy before it',
  ];
}
