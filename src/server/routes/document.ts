import { createDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';

/**
 * `GET /openapi.json`: all routes, as an OpenAPI document. It is made when it is first asked for, and needs no
 * envelope: what reads such documents knows none.
 */
export function documentRoutes(routes: () => readonly Route[], prefix: string): Route[] {
  let text: string | undefined;
  return [
    {
      method: 'GET',
      path: '/openapi.json',
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
      handle: () => ({ data: (text ??= JSON.stringify(createDocument(routes(), prefix))) }),
    },
  ];
}
