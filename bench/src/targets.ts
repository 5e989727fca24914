/** The kind of store. */
export type Store = 'embedded' | 'mongodb';

/** A measured server. */
export interface Target {
  readonly name: string;
  /** How it expects the token; `none`: it needs no token. */
  readonly token: 'bare' | 'bearer' | 'none';
  /** The file of a peer; shelflist has none. */
  readonly peer?: string;
  /** Its database for each kind of store. */
  readonly stores: Readonly<Partial<Record<Store, 'lmdb' | 'mongodb' | 'mongoose' | 'none'>>>;
  /** The only workload that measures it. Default: all. */
  readonly workload?: string;
}

export const ours: Target = {
  name: 'shelflist',
  token: 'bare',
  stores: { embedded: 'lmdb', mongodb: 'mongodb' },
};

export const ceiling: Target = {
  name: 'node:http',
  token: 'none',
  peer: 'ceiling',
  stores: { embedded: 'none', mongodb: 'none' },
};

const peers: readonly Target[] = [
  { name: 'Fastify', token: 'bearer', peer: 'fastify', stores: { embedded: 'lmdb', mongodb: 'mongodb' } },
  {
    name: 'Fastify, @fastify/jwt',
    token: 'bearer',
    peer: 'fastify-jwt',
    stores: { embedded: 'lmdb' },
    workload: 'book',
  },
  { name: 'Express', token: 'bearer', peer: 'express', stores: { embedded: 'lmdb', mongodb: 'mongoose' } },
  { name: 'Hono', token: 'bearer', peer: 'hono', stores: { embedded: 'lmdb' } },
  { name: 'json-server', token: 'bearer', peer: 'json-server', stores: { embedded: 'none' } },
  { name: 'driver', token: 'none', peer: 'driver', stores: { mongodb: 'mongodb' } },
];

export function targetsOn(store: Store, workloadName: string): Target[] {
  return [ours, ceiling, ...peers].filter(
    ({ stores, workload = workloadName }) => stores[store] !== undefined && workload === workloadName,
  );
}
