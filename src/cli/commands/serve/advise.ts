import type { ServiceSettings } from '../../../config/read-settings.ts';
import { notice, programName, type Io } from '../../io.ts';
import { isDescribed, readDotenvService } from '../../session/dotenv.ts';
import { findTarget } from '../../session/target.ts';
import { describeReach } from './reachable.ts';

/** Tells the person who started the service where the books are, and which command is next. */
export async function advise(io: Io, url: string, settings: ServiceSettings): Promise<void> {
  const { databaseUrl } = settings;
  const address = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
  if (databaseUrl.value.startsWith('file:'))
    notice(io, `the books are in ${databaseUrl.value.slice('file:'.length)}`);
  else if (databaseUrl.value.startsWith('memory:'))
    notice(io, 'the books are in memory, and gone when the service stops');
  for (const line of describeReach(url)) notice(io, line);
  const dotenv = await readDotenvService(io.directory).catch(() => undefined);
  const hasPassword = dotenv?.password !== undefined && isDescribed(dotenv, address);
  const login = hasPassword ? '' : `${(await findTarget(io, { url: address })).loginLine}  then  `; // Else commands log in by themselves.
  notice(io, `next, in another terminal in this folder:  ${login}${programName(io)} --help`);
  if (dotenv?.password !== undefined && !hasPassword) {
    // The next start may omit the flag: then only a PORT in .env also sets the port of the service.
    const isFlag = ({ source }: { readonly source: string }) => source.startsWith('flag ');
    const isPort = isFlag(settings.port) && settings.port.value !== 0 && !isFlag(settings.host);
    const line = isPort ? `PORT=${settings.port.value}` : `SHELFLIST_URL=${address}`;
    notice(io, `to log in with the password in .env, add this to .env:  ${line}`);
  }
  notice(io, 'Ctrl-C stops it');
}
