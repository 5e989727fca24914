import type { Stage } from '../stage.ts';
import type { Store } from '../targets.ts';

/** The measured figures; `table.ts` has their column names. */
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

/** The circumstances of a measurement. */
export interface Setting {
  readonly stage: Stage;
  readonly store: Store;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Whether to check only that the workload runs. */
  readonly isSmoke: boolean;
}

/** A workload for all servers. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly stores: readonly Store[];
  /** The names of the lines in its table, in the order in which they are measured. */
  targets(store: Store): readonly string[];
  /** The compared figure, and the base line. */
  readonly compared: { readonly figure: FigureName; readonly with: string };
  measure(setting: Setting, target: string): Promise<Sample>;
}
