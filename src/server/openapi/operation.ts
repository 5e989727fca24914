import type { WireErrorCode } from '../../errors.ts';
import type { HeaderName } from './headers.ts';
import type { Schema } from './schemas.ts';
import type { TagName } from './tags.ts';

/** What a request may carry besides its body: an OpenAPI parameter object. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/**
 * What the document says of an endpoint, and its route does not. The errors that every endpoint has are not named:
 * `responses.ts` adds them.
 */
export interface Operation {
  /** The `operationId`: a name for a function that calls it. */
  readonly id: string;
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  /** What is in the query or the headers; an `{id}` in the path needs no mention. */
  readonly parameters?: readonly Parameter[];
  /** What its body holds, by `Content-Type`; an endpoint without it reads none. */
  readonly body?: Readonly<Record<string, Schema>>;
  /** The `data` of a success; the whole of it where the route's headers name a `Content-Type`. */
  readonly data: Schema;
  /** Headers that a success may carry, besides those that stand in the route. */
  readonly headers?: readonly HeaderName[];
  /** What can be called with what a success gives: OpenAPI link objects, by name. */
  readonly links?: Readonly<Record<string, Schema>>;
  /** Errors of its own. */
  readonly errors?: readonly WireErrorCode[];
  /** Statuses of its own whose answers have no body, and when they come. */
  readonly bodiless?: Readonly<Record<number, string>>;
}
