import type { ReadQueue } from '../../derived/read-queue.ts';
import * as operations from '../../api/operations.ts';
import type { Operation as Row } from '../../api/operations.ts';
import { policies, type Action, type OperationName, type Policy } from '../../api/policies.ts';
import { settingsOperations } from '../../api/settings.ts';
import type { Schema } from '../../api/shapes.ts';
import { parametersOf, type ParameterTexts } from '../openapi/parameters.ts';
import { schemaOf } from '../openapi/schemas.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import type { Endpoint, Operation } from '../openapi/operation.ts';

export interface Route extends Omit<Endpoint, 'operation'> {
  /** What the OpenAPI document says about it. Default: it is not in the document. */
  readonly operation?: Operation;
  /** Every route that is not public has one. */
  readonly action?: Action;
  /** Whether only requests that accept HTML find it: to others, its path is unknown. GET and HEAD only. Default false. */
  readonly isForBrowsers?: boolean;
  /** Whether `identify` is asked although the route is public. Default false. */
  readonly asksForUser?: boolean;
  /** Whether it acts on the token of the request, so that `identify` is not asked. Default false. */
  readonly isAboutToken?: boolean;
  /** Whether its responses may be long: those on one connection are made one after the other. Default false. */
  readonly isLong?: boolean;
  /** Whether it needs no token where everybody may read. Default false. */
  readonly isRead?: boolean;
  /** @throws {ShelflistError} For every response that is not a success. */
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

/** Chooses the queue for a call: calls without a token share one. */
export type ReaderFor = (call: Pick<Call, 'isIdentified'>) => ReadQueue;

export type { Action } from '../../api/policies.ts';

/** What the row of an operation leaves to the server. */
interface Serving extends Pick<Route, 'headers' | 'isAboutToken' | 'isLong' | 'handle'> {
  readonly document: Omit<Operation, 'id' | 'parameters' | 'data' | 'isBodyOptional' | 'errors'> & {
    readonly parameters?: ParameterTexts;
    /** Default: the schema of the row. */
    readonly data?: Schema;
  };
}

const rows: Readonly<Record<OperationName, Row>> = { ...operations, ...settingsOperations };

/** The route of an operation: its row, with its handler and what the document says about it. */
export function route(name: OperationName, { document, ...serving }: Serving): Route {
  const row: Row = rows[name];
  const policy: Policy = policies[name];
  const { method, path } = row;
  const { access, isRead = false, status = 200, message } = policy;
  const { parameters: texts = {}, body, data = schemaOf(row.data), ...rest } = document;
  const parameters = parametersOf({ ...row, ...policy }, texts);
  return {
    method,
    path,
    ...(access === 'public' ? { public: true } : { action: access }),
    isRead,
    status,
    message,
    operation: {
      id: name,
      ...rest,
      ...(parameters.length > 0 && { parameters }),
      ...(row.body && { body: { 'application/json': schemaOf(row.body), ...body } }),
      isBodyOptional: row.isBodyOptional ?? false,
      data,
      errors: policy.errors ?? [],
    },
    ...serving,
  };
}
