// Explains why a start could not use a database, and how to fix it: one piece of advice for each cause.
import { MongoAPIError, MongoParseError, MongoServerError, type Document, type MongoClient } from 'mongodb';
import { hasServerCode } from './schema.ts';

/** The codes of a server that refuses a command for lack of rights, or a login. */
export const unauthorized = 13;
const loginCodes = [18, 334, 8000];

/** What is known of a start that failed. */
export interface FailedStart {
  readonly error: unknown;
  /** Removes secrets from a message. */
  readonly scrub: (message: string) => string;
  /** `undefined`: the driver refused the address itself. */
  readonly client: MongoClient | undefined;
  /** The latest answer of each server to `hello`, or the error, by its address. */
  readonly servers: ReadonlyMap<string, Document | Error>;
}

/** The reason, and the advice. */
type Explanation = readonly [reason: string, advice: string];

/** Explains a failed start in one line, without secrets. */
export function explainStart(start: FailedStart): string {
  const { error, scrub } = start;
  const message = error instanceof Error ? scrub(error.message) : 'unknown reason';
  const [reason, advice] = explainRefusal(start, message) ??
    explainServers(start) ??
    explainSystem(error, scrub) ?? [message, checkServer];
  return `${reason.replace(/\.$/, '')}; ${advice}`;
}

const checkServer = 'start it, or correct DATABASE_URL (host, port)';

/** Problems with the address, the login or the rights. */
function explainRefusal({ error, client }: FailedStart, message: string): Explanation | undefined {
  if (hasServerCode(error, unauthorized)) return explainRights(client);
  if (hasServerCode(error, ...loginCodes))
    return [message, 'correct the user, the password or authSource in DATABASE_URL'];
  if (error instanceof MongoServerError) return [message, 'see the log of the server'];
  if (error instanceof MongoParseError || (client === undefined && error instanceof MongoAPIError))
    return [message, 'remove or correct this option in DATABASE_URL'];
  return undefined;
}

/** The message of the server is not shown: it contains the command, with the texts of books. */
function explainRights(client: MongoClient | undefined): Explanation {
  const isNamed = client?.options.credentials !== undefined;
  return isNamed
    ? ['its user lacks rights that the service needs', 'grant it the role readWrite on this database']
    : [
        'the server requires a login',
        'add a user with the role readWrite to DATABASE_URL: mongodb://USER:PASSWORD@HOST/DATABASE',
      ];
}

/** Problems in the answers of the servers to `hello`, or in their connections. */
function explainServers({ client, servers, scrub }: FailedStart): Explanation | undefined {
  const hellos = [...servers.values()].flatMap((each): Document[] => (each instanceof Error ? [] : [each]));
  const failures = [...servers].flatMap(([address, each]) => {
    const found = each instanceof Error ? explainSystem(each, scrub, address) : undefined;
    return found === undefined ? [] : [{ address, found }];
  });
  const [failure] = failures;
  const { replicaSet: wanted, hosts = [] } = client?.options ?? {};
  const names = hellos.map(({ setName }) => setName as unknown);
  const other = names.find((name) => typeof name === 'string' && name !== wanted);
  if (wanted !== undefined && typeof other === 'string')
    return [`its replica set is called ${other}, not ${wanted}`, `set replicaSet=${other} in DATABASE_URL`];
  if (hellos.some(({ isreplicaset }) => isreplicaset === true))
    return ['its replica set is not initiated', 'run rs.initiate() once in mongosh'];
  if (hellos.length === 0) return failure?.found;
  const named = hosts.map(String);
  const member = failures.find(({ address }) => !named.includes(address));
  if (member !== undefined)
    return [
      `its replica set names a member ${member.address}, which cannot be reached from here (${member.found[0]})`,
      'let this machine reach it by that name, or correct it with rs.reconfig() in mongosh',
    ];
  const isMember = names.some((name) => typeof name === 'string');
  if (isMember && !hellos.some(isPrimary))
    return [
      'its replica set has no primary at present',
      'start its other members: it needs a majority; rs.status() in mongosh shows their states',
    ];
  return failure?.found;
}

function isPrimary({ isWritablePrimary, ismaster }: Document): boolean {
  return isWritablePrimary === true || ismaster === true;
}

/** The codes of Node and OpenSSL for a certificate that is not accepted. */
const certificateCodes =
  /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/** A failure of the network, of TLS or of a file. */
function explainSystem(
  error: unknown,
  scrub: (message: string) => string,
  address?: string,
): Explanation | undefined {
  const chain = chainOf(error);
  const codes = chain.flatMap((each) => ('code' in each && typeof each.code === 'string' ? [each.code] : []));
  const [last] = chain;
  if (last === undefined) return undefined;
  const has = (test: RegExp) => codes.some((code) => test.test(code));
  const message = scrub(last.message);
  const path = chain.map((each) => (each as NodeJS.ErrnoException).path).find((each) => each !== undefined);
  if (path !== undefined && has(/^(?:ENOENT|EACCES|EISDIR|EPERM)$/) && address === undefined)
    return [
      `cannot read ${path} (${codes[0] ?? ''})`,
      'correct the path in DATABASE_URL, or the owner and mode of the file',
    ];
  const [, needed] = /maximum wire version .* at least \d+ \(MongoDB ([\d.]+)\)/.exec(message) ?? [];
  if (needed !== undefined) return ['the server is too old', `upgrade it to MongoDB ${needed} or later`];
  if (has(certificateCodes))
    return [
      `the certificate of the server is not accepted (${codes.find((code) => certificateCodes.test(code)) ?? ''})`,
      'name the certificate file of its authority with tlsCAFile in DATABASE_URL, or correct the host',
    ];
  if (
    has(/^ERR_(?:SSL_WRONG_VERSION|SSL_PACKET_LENGTH)|^EPROTO$/) ||
    message.includes('secure TLS connection')
  )
    return ['the server does not speak TLS', 'remove tls=true (or ssl=true) from DATABASE_URL'];
  if (has(/^ERR_(?:SSL|OSSL|CRYPTO)/))
    return [message, 'correct the certificate and the options tls… in DATABASE_URL'];
  if (has(/^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL)$/))
    return [message, 'correct the host in DATABASE_URL, or the DNS of this machine'];
  if (/^connection .* closed$/.test(message))
    return [message, 'if the server requires TLS, add tls=true to DATABASE_URL'];
  return address === undefined ? undefined : [message, checkServer];
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 5; each = each.cause) chain.push(each);
  return chain;
}
