import { createDocument } from '../openapi/document.ts';
import type { Schema } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

/**
 * `GET /openapi.json`: all routes, as an OpenAPI document. It is made when it is first asked for, and needs no
 * envelope: what reads such documents knows none.
 */
export function documentRoutes(routes: () => readonly Route[]): Route[] {
  const path = '/openapi.json';
  let document: Schema | undefined;
  return [
    {
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
        description: 'An OpenAPI 3.1 document as it is, in no envelope.',
        data: {
          type: 'object',
          required: ['openapi', 'info', 'paths'],
          properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
        },
      },
      handle(call) {
        document ??= createDocument(routes());
        // The service is where the document is, whatever it is mounted under.
        const servers = [{ url: call.path.slice(0, -path.length) || '/' }];
        return { data: JSON.stringify({ ...document, servers }) };
      },
    },
  ];
}
