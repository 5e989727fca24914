import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { compress, encoded, type Bodies } from '../http/negotiation.ts';
import {
  formatCatalogue,
  metricsContentType,
  type Catalogue,
  type Metrics,
} from '../observability/metrics.ts';
import { createDocument } from '../openapi/document.ts';
import type { DocumentOptions } from '../openapi/responses.ts';
import { nothing } from '../openapi/schemas.ts';
import type { Route } from './route.ts';

/** The store must answer within this time. */
const maxStoreMs = 1000;

/** Health checks: `GET /livez` (the process runs) and `GET /readyz` (the store answers). */
export function healthRoutes(store: CompleteStore): Route[] {
  return [
    {
      method: 'GET',
      path: '/livez',
      public: true,
      status: 200,
      message: 'Alive',
      operation: {
        id: 'getLiveness',
        tag: 'operation',
        summary: 'Whether the process runs',
        description: 'Does not use the store.',
        data: nothing,
      },
      handle: () => ({ data: null }),
    },
    {
      method: 'GET',
      path: '/readyz',
      public: true,
      status: 200,
      message: 'Ready',
      operation: {
        id: 'getReadiness',
        tag: 'operation',
        summary: 'Whether the store answers',
        description: 'Waits for the store for at most one second.',
        data: nothing,
        errors: ['unavailable'],
      },
      async handle() {
        await checkStore(store);
        return { data: null };
      },
    },
  ];
}

/** @throws {ShelflistError} `unavailable`: the store does not answer in time. */
async function checkStore(store: CompleteStore): Promise<void> {
  try {
    await withTimeout(maxStoreMs, store.get(1));
  } catch (cause) {
    // A store that reports a damaged book does answer.
    if (!hasCode(cause, 'store_damaged'))
      throw new ShelflistError('unavailable', { message: 'the store does not answer', cause });
  }
}

/** The maximum wait for the store, in milliseconds: the other metrics matter most when the store is slow. */
const measureMs = 1000;

/** `GET /metrics`: metrics in the text format of Prometheus, without an envelope. */
export function metricsRoute(metrics: Metrics, store: CompleteStore): Route {
  return {
    method: 'GET',
    path: '/metrics',
    isLong: true,
    public: true,
    status: 200,
    message: '',
    headers: { 'Content-Type': metricsContentType },
    operation: {
      id: 'getMetrics',
      tag: 'operation',
      summary: 'Metrics for Prometheus',
      description: 'The text format of Prometheus, without an envelope.',
      data: { type: 'string', examples: ['process_resident_memory_bytes 73400320\n'] },
    },
    async handle() {
      const [text, catalogue] = await Promise.all([metrics.text(), measureCatalogue(store)]);
      return { body: text + formatCatalogue(catalogue) };
    },
  };
}

/** Omits what the store does not answer in time. */
async function measureCatalogue(store: CompleteStore): Promise<Catalogue> {
  const [books, measures] = await Promise.allSettled([
    withTimeout(measureMs, (async () => store.count({}, { signal: AbortSignal.timeout(measureMs) }))()),
    withTimeout(measureMs, store.measure()),
  ]);
  return {
    ...(measures.status === 'fulfilled' && measures.value),
    ...(books.status === 'fulfilled' && { books: books.value }),
  };
}

const path = '/openapi.json';

/** The maximum number of addresses of the service for which the document is kept. */
const maxAddresses = 8;

/** `GET /openapi.json`: the OpenAPI document of all routes, without an envelope. Created on first use. */
export function documentRoute(routes: () => readonly Route[], options: DocumentOptions): Route {
  const bodies = new Map<string, Promise<Bodies>>();
  /** All requests share the bytes. */
  const bodiesAt = (url: string) => {
    const made =
      bodies.get(url) ??
      compress(JSON.stringify({ ...createDocument(routes(), options), servers: [{ url }] }));
    bodies.set(url, made);
    // A framework may mount the service below many addresses.
    for (const other of bodies.keys()) if (bodies.size > maxAddresses) bodies.delete(other);
    return made;
  };
  return {
    method: 'GET',
    path,
    isLong: true,
    public: true,
    status: 200,
    message: '',
    headers: { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' },
    operation: {
      id: 'getDocument',
      tag: 'operation',
      summary: 'This document',
      description: 'An OpenAPI 3.1 document, without an envelope.',
      data: {
        type: 'object',
        required: ['openapi', 'info', 'paths'],
        properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
      },
      headers: ['Content-Encoding'],
    },
    async handle(call) {
      // The address of the service is that of the document, wherever it is mounted.
      const url = call.path.slice(0, -path.length) || '/';
      const { body, headers } = encoded(await bodiesAt(url), call.acceptEncoding);
      return { body, headers };
    },
  };
}
