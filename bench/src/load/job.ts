/** A request that is sent again and again; `{id}` and `{year}` in it get another value each time. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status that it must be answered with. */
  readonly expected: number;
}

/** What the generator is to do. */
export interface Job {
  readonly url: string;
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly main: RequestTemplate;
  /** What takes the place of one in so many. */
  readonly other?: { readonly request: RequestTemplate; readonly oneIn: number };
  /** The processes whose time is measured. */
  readonly pids: readonly number[];
}

/** What came of it. */
export interface Outcome {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many answers were cut off or had another status than expected; only the others are counted above. */
  readonly failedPercent: number;
  /** The time of the watched processes, per request. */
  readonly serverMicros: number;
  /** How much of one core they and the generator took. */
  readonly serverBusy: number;
  readonly generatorBusy: number;
}
