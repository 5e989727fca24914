import {
  changeableSettings,
  type BackupState,
  type ChangeableSetting,
  type LiveSettings,
  type SettingsPatch,
  type SettingsReport,
} from '../../catalogue/changeable-settings.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { checkSetting } from '../../config/settings.ts';
import { noStore } from '../http/reply.ts';
import { route, type Route } from './route.ts';

/** Keeps the settings that requests can change: for one service, or for all its processes. */
export interface SettingsKeeper {
  /** Those that take the place of the fields of the configuration, without a restart. */
  readonly live: Partial<LiveSettings>;
  /** Reads what the next start uses. @throws {ShelflistError} `unavailable`: where they are kept cannot be read. */
  read(): Promise<SettingsReport>;
  /**
   * Checks all changes, keeps them for the next start, and applies those that need no restart.
   *
   * @throws {ShelflistError} `invalid_input`: one of them is not valid, or cannot be changed here; `unavailable`. Nothing has changed.
   */
  change(patch: SettingsPatch): Promise<SettingsReport>;
  /** Calls a function with each change of {@link live}, and waits for it. Returns the function that ends this. */
  onChange(apply: () => Promise<void>): () => void;
}

/**
 * `GET /settings` and `PATCH /settings`.
 *
 * @param backupState When the books were copied and changed last; `undefined` if the service cannot copy them.
 */
export function settingsRoutes(
  keeper: SettingsKeeper,
  backupState: (() => Promise<BackupState>) | undefined,
): Route[] {
  const describe = async (report: ReturnType<SettingsKeeper['read']>) => ({
    data: { ...(await report), backup: (await backupState?.()) ?? null },
  });
  return [
    route('getSettings', {
      headers: noStore,
      document: {
        tag: 'operation',
        summary: 'Read the settings',
        description:
          'The settings that can be changed while the service runs, as the next start reads them. None is a secret.',
      },
      handle: () => describe(keeper.read()),
    }),
    route('changeSettings', {
      headers: noStore,
      document: {
        tag: 'operation',
        summary: 'Change settings',
        description:
          'Keeps the settings in the `.env` of the service: all of them, or none. Those in `restart` take effect after a restart, ' +
          'the others at once. One in `fixed` cannot be changed here.',
      },
      handle: async (call) => describe(keeper.change(parsePatch(await call.readJson()))),
    }),
  ];
}

/** Reads changes of settings from untrusted JSON. @throws {ShelflistError} `invalid_input`. */
export function parsePatch(value: unknown): SettingsPatch {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShelflistError('invalid_input', { message: 'the body is not an object of settings' });
  const isKnown = (name: string): name is ChangeableSetting =>
    changeableSettings.some((each) => each === name);
  for (const [name, each] of Object.entries(value) as [string, unknown][]) {
    const problem = isKnown(name)
      ? checkSetting(name, each)
      : `no such setting; expected ${changeableSettings.join(', ')}`;
    if (problem !== undefined) throw new ShelflistError('invalid_input', { message: `${name}: ${problem}` });
  }
  return { ...value };
}
