import { createDocument } from '../openapi/document.ts';
import type { DocumentOptions } from '../openapi/responses.ts';
import type { Schema } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

const path = '/openapi.json';

/** `GET /openapi.json`: the OpenAPI document of all routes, without an envelope. Created on first use. */
export function documentRoute(routes: () => readonly Route[], options: DocumentOptions): Route {
  let document: Schema | undefined;
  return {
    method: 'GET',
    path,
    public: true,
    status: 200,
    message: '',
    headers: { 'Content-Type': 'application/json' },
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
    },
    handle(call) {
      document ??= createDocument(routes(), options);
      // The address of the service is that of the document, wherever it is mounted.
      const servers = [{ url: call.path.slice(0, -path.length) || '/' }];
      return { data: JSON.stringify({ ...document, servers }) };
    },
  };
}
