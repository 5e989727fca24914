import type { Stage } from '../stage.ts';
import type { Store } from '../targets.ts';

/** What is measured, by the name of its column in `figures.ts`. */
export type FigureName =
  | 'perSecond'
  | 'p50Ms'
  | 'p99Ms'
  | 'failedPercent'
  | 'serverMicros'
  | 'serverBusy'
  | 'generatorBusy'
  | 'peakMb'
  | 'ms'
  | 'cpuMs'
  | 'idleMb'
  | 'peakAboveMb'
  | 'anonAboveMb'
  | 'firstByteMs'
  | 'totalMs'
  | 'perSecondMeanwhile'
  | 'p99MsMeanwhile';

/** The figures of one target in one round. */
export type Sample = Partial<Record<FigureName, number>>;

/** Where and how long to measure. */
export interface Setting {
  readonly stage: Stage;
  readonly store: Store;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Only to see whether it works. */
  readonly isSmoke: boolean;
}

/** One question to all targets. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly stores: readonly Store[];
  /** The names of the lines in its table, in the order in which they are measured. */
  targets(store: Store): readonly string[];
  /** The figure that is compared, and with which line. */
  readonly compared: { readonly figure: FigureName; readonly with: string };
  measure(setting: Setting, target: string): Promise<Sample>;
}
