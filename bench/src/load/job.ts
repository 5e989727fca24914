/** A request that is sent repeatedly; `{id}` and `{year}` get another value each time. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected status. */
  readonly expected: number;
}

/** A job of the load generator. */
export interface Job {
  readonly url: string;
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly main: RequestTemplate;
  /** The request that replaces one of `oneIn` requests. */
  readonly other?: { readonly request: RequestTemplate; readonly oneIn: number };
  /** The processes whose CPU time is measured. */
  readonly pids: readonly number[];
}

/** The result of a job. */
export interface Outcome {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses that were cut off or had an unexpected status. The figures above do not count them. */
  readonly failedPercent: number;
  /** CPU time of the measured processes, per request. */
  readonly serverMicros: number;
  /** CPU time of these processes and of the generator, relative to the clock. */
  readonly serverBusy: number;
  readonly generatorBusy: number;
}
