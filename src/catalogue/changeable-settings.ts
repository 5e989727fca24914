import type { SortNames } from './sort-keys.ts';

/** The language of the page for readers who have not chosen one: a language that the page has, or that of their browser. */
export const pageLanguages = ['auto', 'de', 'en', 'es', 'fr'] as const;
/** The language of the page: one that it has, or `auto`, that of the reader's browser. */
export type PageLanguage = (typeof pageLanguages)[number];

/** The settings of a service that the page can change. `src/config/settings.ts` describes them. */
export interface ChangeableSettings {
  /** The name of the library: `CATALOGUE_NAME`. */
  readonly catalogueName: string;
  /** `PAGE_LANGUAGE`. */
  readonly pageLanguage: PageLanguage;
  /** Whether everybody may read the books: `PUBLIC_READ`. */
  readonly publicRead: boolean;
  /** The articles that the order by title ignores: `SORT_ARTICLES`. */
  readonly sortArticles: readonly string[];
  /** The order by author: `SORT_NAMES`. */
  readonly sortNames: SortNames;
  /** Where books are looked up by ISBN: `BOOK_LOOKUP`. */
  readonly bookLookup: string;
}

/** The name of a setting that the page may change. */
export type ChangeableSetting = keyof ChangeableSettings;

/** The settings to change. */
export type SettingsPatch = Partial<ChangeableSettings>;

export const changeableSettings = [
  'catalogueName',
  'pageLanguage',
  'publicRead',
  'sortArticles',
  'sortNames',
  'bookLookup',
] as const satisfies readonly ChangeableSetting[];

/** The settings that the server applies; a store keeps the others with its books. */
export const liveSettings = [
  'catalogueName',
  'pageLanguage',
  'publicRead',
  'bookLookup',
] as const satisfies readonly ChangeableSetting[];

/** The values of `liveSettings`. */
export type LiveSettings = Pick<ChangeableSettings, (typeof liveSettings)[number]>;

/** A setting that the page cannot change. */
export interface FixedSetting {
  /** Its name. */
  readonly setting: ChangeableSetting;
  /** Where its value comes from: `environment PUBLIC_READ`. */
  readonly source: string;
}

/** The settings and their state. */
export interface SettingsReport {
  /** Those of the next start. */
  readonly settings: ChangeableSettings;
  /** Those that a request cannot change. */
  readonly fixed: readonly FixedSetting[];
  /** Those that the running service does not use yet. */
  readonly restart: readonly ChangeableSetting[];
  /** The addresses of the service for other machines, as far as it knows them. */
  readonly addresses: readonly string[];
}

/** The answer of a service about its settings. */
export interface ServiceSettings extends SettingsReport {
  /** `null`: the service cannot copy its books. */
  readonly backup: BackupState | null;
}

/** The times of the last copy and the last change of the books; `null`: never, or not known. */
export interface BackupState {
  readonly at: Date | null;
  readonly changedAt: Date | null;
}
