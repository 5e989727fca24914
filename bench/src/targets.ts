/** The kind of store. */
export type Store = 'embedded' | 'mongodb';

/** The workloads of servers that can answer queries. */
const queries = ['page', 'search', 'search-different', 'search-nothing', 'search-words'];

/** A measured server. */
export interface Target {
  readonly name: string;
  /** How it expects the token; `none`: it needs no token. */
  readonly token: 'bare' | 'bearer' | 'none';
  /** The file of a peer; shelflist has none. */
  readonly peer?: string;
  /** Its database for each kind of store. */
  readonly stores: Readonly<Partial<Record<Store, 'lmdb' | 'mongodb' | 'mongoose' | 'none'>>>;
  /** The workloads that measure it. Default: all, except queries. */
  readonly workloads?: readonly string[];
  /** Whether it answers queries, too. */
  readonly hasQueries?: boolean;
}

export const ours: Target = {
  name: 'shelflist',
  token: 'bare',
  stores: { embedded: 'lmdb', mongodb: 'mongodb' },
  hasQueries: true,
};

export const ceiling: Target = {
  name: 'node:http',
  token: 'none',
  peer: 'ceiling',
  stores: { embedded: 'none', mongodb: 'none' },
  hasQueries: true,
};

/** Its list has at most 1,000 books a page, and its login is slow by intent (bcrypt): it has no part in these workloads. */
export const pocketBase: Target = {
  name: 'PocketBase',
  token: 'bare',
  stores: { embedded: 'none' },
  workloads: ['book', 'create', 'update', 'connections', 'idle', ...queries],
  hasQueries: true,
};

const peers: readonly Target[] = [
  { name: 'Fastify', token: 'bearer', peer: 'fastify', stores: { embedded: 'lmdb', mongodb: 'mongodb' } },
  {
    name: 'Fastify, @fastify/jwt',
    token: 'bearer',
    peer: 'fastify-jwt',
    stores: { embedded: 'lmdb' },
    workloads: ['book'],
  },
  { name: 'Express', token: 'bearer', peer: 'express', stores: { embedded: 'lmdb', mongodb: 'mongoose' } },
  { name: 'Hono', token: 'bearer', peer: 'hono', stores: { embedded: 'lmdb' } },
  { name: 'json-server', token: 'bearer', peer: 'json-server', stores: { embedded: 'none' } },
  { name: 'driver', token: 'none', peer: 'driver', stores: { mongodb: 'mongodb' } },
  pocketBase,
];

export function targetsOn(store: Store, workloadName: string): Target[] {
  return [ours, ceiling, ...peers].filter(
    ({ stores, workloads, hasQueries = false }) =>
      stores[store] !== undefined &&
      (workloads?.includes(workloadName) ?? true) &&
      (hasQueries || !queries.includes(workloadName)),
  );
}
