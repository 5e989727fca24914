import type { WireErrorCode } from '../../catalogue/errors.ts';
import type { HeaderName } from './headers.ts';
import type { Schema } from './schemas.ts';

/** The groups of operations in the document. */
export const tags = {
  tokens: 'Exchange a username and password for a token. It lasts 15 minutes, and can be renewed.',
  books: 'Create, list, read, update and delete books.',
  history: 'Show earlier states, bring books back, and undo batches of changes.',
  page: 'The web page, if the service has it.',
  operation: 'For operators of the service.',
  options: 'The methods of each path. Browsers ask for them before requests of pages of other origins.',
} as const;

/** An OpenAPI parameter object. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** The documentation of a route. `responses.ts` adds the errors that every operation has. */
export interface Operation {
  /** The `operationId`, which code generators use as the name of a function. */
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  /** Parameters in the query and the headers. `{id}` and `{batch}` in the path are added. */
  readonly parameters?: readonly Parameter[];
  /** The schema of the request body by `Content-Type`. Default: no body. */
  readonly body?: Readonly<Record<string, Schema>>;
  /** Whether the request may be sent without its body. Default false. */
  readonly isBodyOptional?: boolean;
  /** The schema of `data`; of the whole response if the headers of the route contain a `Content-Type`. */
  readonly data: Schema;
  /** The schemas of a success that `Accept` can choose instead of the envelope, by `Content-Type`. */
  readonly otherTypes?: Readonly<Record<string, Schema>>;
  /** The types of a body outside the envelope, if the headers of the route contain none. */
  readonly contentTypes?: readonly string[];
  /** Headers of a success besides those of the route. */
  readonly headers?: readonly HeaderName[];
  /** OpenAPI link objects by name: operations that accept values of this response. */
  readonly links?: Readonly<Record<string, Schema>>;
  /** The errors of this operation. */
  readonly errors?: readonly WireErrorCode[];
  /** Responses with other statuses that have a body like a success: their descriptions. */
  readonly pages?: Readonly<Record<number, string>>;
  /** Responses without a body: their descriptions by status. */
  readonly bodiless?: Readonly<Record<number, string>>;
}
