import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { compress, encoded, type Bodies } from '../http/negotiation.ts';
import {
  formatCatalogue,
  metricsContentType,
  type Catalogue,
  type Metrics,
} from '../observability/metrics.ts';
import type { Endpoint } from '../openapi/operation.ts';
import { createDocument } from '../openapi/document.ts';
import type { DocumentOptions } from '../openapi/responses.ts';
import { route, type Route } from './route.ts';

/** The store must answer within this time. */
const maxStoreMs = 2000;
/** How long an answer is kept: anybody may ask, as often as they like. */
const keptMs = 1000;
/** A word that hardly any book has, so that its search is cheap. */
const rareWord = 'readyz';

/** Health checks: `GET /livez` (the process runs) and `GET /readyz` (the store answers). */
export function healthRoutes(store: CompleteStore): Route[] {
  const check = keep(() => checkStore(store), keptMs);
  return [
    route('getLiveness', {
      document: {
        tag: 'operation',
        summary: 'Whether the process runs',
        description: 'Does not use the store.',
      },
      handle: () => ({ data: null }),
    }),
    route('getReadiness', {
      document: {
        tag: 'operation',
        summary: 'Whether the store answers',
        description:
          'Whether a list, a search and a write would succeed. Waits for the store for at most two seconds.',
      },
      async handle() {
        await check();
        return { data: null };
      },
    }),
  ];
}

/** Shares each result, or error, with all who ask until some time after its end. */
function keep(call: () => Promise<void>, ms: number): () => Promise<void> {
  let kept: Promise<void> | undefined;
  let endedAt = Infinity;
  return () => {
    if (kept !== undefined && performance.now() - endedAt < ms) return kept;
    endedAt = Infinity;
    return (kept = call().finally(() => {
      endedAt = performance.now();
    }));
  };
}

/**
 * Does what requests do, so that the service is not ready while they all fail.
 *
 * @throws {ShelflistError} `unavailable`: a list, a search or a write fails, or takes too long.
 */
async function checkStore(store: CompleteStore): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const read = async (query: BookQuery) => {
    try {
      await store.find(query, { limit: 1, isStrict: true, signal });
    } catch (error) {
      // A record that is not a book affects only the pages that contain it. If the whole store is damaged, writes fail.
      if (!hasCode(error, 'store_damaged')) throw error;
    }
  };
  try {
    const checks = [read({}), read({ q: rareWord }), (async () => store.checkWrites())()];
    await withTimeout(maxStoreMs, Promise.all(checks));
  } catch (cause) {
    const known = hasCode(cause, 'unavailable', 'store_damaged') ? cause : undefined;
    throw new ShelflistError('unavailable', {
      message: known?.message ?? 'the store does not answer',
      cause,
    });
  } finally {
    ended.abort();
  }
}

/** The maximum wait for the store, in milliseconds: the other metrics matter most when the store is slow. */
const measureMs = 1000;

/** `GET /metrics`: metrics in the text format of Prometheus, without an envelope. */
export function metricsRoute(metrics: Metrics, store: CompleteStore): Route {
  return route('getMetrics', {
    isLong: true,
    headers: { 'Content-Type': metricsContentType },
    document: {
      tag: 'operation',
      summary: 'Metrics for Prometheus',
      description: 'The text format of Prometheus, without an envelope.',
      data: { type: 'string', examples: ['process_resident_memory_bytes 73400320\n'] },
    },
    async handle() {
      const [text, catalogue] = await Promise.all([metrics.text(), measureCatalogue(store)]);
      return { body: text + formatCatalogue(catalogue) };
    },
  });
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

/** `GET /openapi.json`: the OpenAPI document of all routes, without an envelope. Created on first use. */
export function documentRoute(endpoints: () => readonly Endpoint[], options: DocumentOptions): Route {
  /** Shared by all requests. Its server address is relative to its own, so it is valid behind any proxy. */
  let bodies: Promise<Bodies> | undefined;
  const makeBodies = () =>
    compress(JSON.stringify({ ...createDocument(endpoints(), options), servers: [{ url: '.' }] }));
  return route('getDocument', {
    isLong: true,
    headers: { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' },
    document: {
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
      const { body, headers } = encoded(await (bodies ??= makeBodies()), call.acceptEncoding);
      return { body, headers };
    },
  });
}
