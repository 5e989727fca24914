import { createDocument } from '../openapi/document.ts';
import type { DocumentOptions } from '../openapi/responses.ts';
import { compress, encoded, type Bodies } from '../http/negotiation.ts';
import type { Route } from '../route.ts';

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
