import type { Environment } from '../../config/environment.ts';
import { isLoopback } from '../../lib/network.ts';

/** The first minor version of each line of Node whose agents can use a proxy of the environment. All later lines can. */
const proxyVersions: Readonly<Record<number, number>> = { 22: 21, 24: 5 };

/** Whether this Node supports the option `proxyEnv` of agents. */
export function supportsProxies(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || minor >= (proxyVersions[major] ?? Infinity);
}

/**
 * The proxy of the environment for an address: `HTTPS_PROXY`, unless `NO_PROXY` excludes the host. None for `http://`, where a
 * proxy would read the token, and none for this machine.
 */
export function proxyFor(url: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const proxy = env.https_proxy || env.HTTPS_PROXY;
  if (protocol !== 'https:' || !proxy || isLoopback(hostname)) return undefined;
  const excluded = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(/[\s,]+/);
  const isExcluded = excluded.some((entry) => {
    const [, domain = '', only] = /^(?:\*?\.)?(.*?)(?::([0-9]+))?$/.exec(entry) ?? [];
    if (entry === '*') return true;
    if (domain === '' || (only !== undefined && only !== (port || '443'))) return false;
    return hostname === domain || hostname.endsWith(`.${domain}`);
  });
  return isExcluded ? undefined : proxy;
}

/** Describes the proxy for an address, for the error of a connection; `undefined` if there is none. */
export function noteOnProxy(url: string, env: Environment): string | undefined {
  if (proxyFor(url, env) === undefined) return undefined;
  if (supportsProxies())
    return 'the connection goes through the proxy that HTTPS_PROXY names; to bypass it, add the host to NO_PROXY';
  return 'HTTPS_PROXY is set, but this version of Node cannot use it; use Node 22.21 or 24.5 or later, or add the host to NO_PROXY if it needs no proxy';
}
