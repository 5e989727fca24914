// The operations on the settings of a service. They are apart because only the page uses them, in the script of its later views.
import { changeableSettings, pageLanguages } from '../catalogue/changeable-settings.ts';
import type { Operation } from './operations.ts';
import { flag, list, nullable, object, oneOf, partial, text, time } from './shapes.ts';

const settingShapes = {
  catalogueName: /* @__PURE__ */ text(),
  pageLanguage: /* @__PURE__ */ oneOf(pageLanguages),
  publicRead: /* @__PURE__ */ flag(),
  sortArticles: /* @__PURE__ */ list(/* @__PURE__ */ text()),
  sortNames: /* @__PURE__ */ oneOf(['family', 'written']),
  bookLookup: /* @__PURE__ */ text(),
};
export const settings = /* @__PURE__ */ object(settingShapes);
/** The settings to change. */
export const settingsPatch = /* @__PURE__ */ partial(settingShapes);
const settingName = /* @__PURE__ */ oneOf(changeableSettings);
export const fixedSetting = /* @__PURE__ */ object({ setting: settingName, source: /* @__PURE__ */ text() });
export const backupState = /* @__PURE__ */ object({
  at: /* @__PURE__ */ nullable(/* @__PURE__ */ time()),
  changedAt: /* @__PURE__ */ nullable(/* @__PURE__ */ time()),
});
/** The settings and their state. */
export const settingsReport = /* @__PURE__ */ object({
  settings,
  fixed: /* @__PURE__ */ list(fixedSetting),
  restart: /* @__PURE__ */ list(settingName),
  addresses: /* @__PURE__ */ list(/* @__PURE__ */ text()),
  backup: /* @__PURE__ */ nullable(backupState),
});

export const getSettings = {
  method: 'GET',
  path: '/settings',
  data: settingsReport,
} as const satisfies Operation;

export const changeSettings = {
  method: 'PATCH',
  path: '/settings',
  body: settingsPatch,
  data: settingsReport,
} as const satisfies Operation;

export const settingsOperations = { getSettings, changeSettings };
