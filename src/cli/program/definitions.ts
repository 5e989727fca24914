import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { defineAdd } from '../commands/add.ts';
import { defineAuthors } from '../commands/authors.ts';
import { defineBackup } from '../commands/backup.ts';
import { defineChange } from '../commands/change.ts';
import { defineComplete } from '../commands/complete.ts';
import { defineCompletion } from '../commands/completion.ts';
import { defineConfig } from '../commands/config.ts';
import { defineDelete } from '../commands/delete.ts';
import { defineDoctor } from '../commands/doctor.ts';
import { defineDuplicates } from '../commands/duplicates.ts';
import { defineEdit } from '../commands/edit.ts';
import { defineExport } from '../commands/export.ts';
import { defineGet } from '../commands/get.ts';
import { defineHealth } from '../commands/health.ts';
import { defineHelp } from '../commands/help.ts';
import { defineHistory } from '../commands/history.ts';
import { defineImport } from '../commands/import/import.ts';
import { defineInit } from '../commands/init.ts';
import { defineList } from '../commands/list.ts';
import { defineLogin } from '../commands/login.ts';
import { defineLogout } from '../commands/logout.ts';
import { defineMerge } from '../commands/merge.ts';
import { defineOpen } from '../commands/open.ts';
import type { names } from './program.ts';
import { definePasswd } from '../commands/passwd.ts';
import { defineRestore } from '../commands/restore.ts';
import { defineCopy } from '../commands/copy.ts';
import { defineVerify } from '../commands/verify.ts';
import { defineStats } from '../commands/stats.ts';
import { defineStatus } from '../commands/status.ts';
import { defineSuggest } from '../commands/suggest.ts';
import { defineRevert } from '../commands/revert.ts';
import { defineTrash } from '../commands/trash.ts';
import { defineUndo } from '../commands/undo.ts';
import { defineUpdate } from '../commands/update.ts';
import { defineWatch } from '../commands/watch.ts';

/** Gives a command its options, arguments, help and action. */
export type Define = (command: Command, io: Io) => void;

/** The commands except `serve`, which loads none of these. */
export const definitions: Record<Exclude<keyof typeof names, 'serve'>, Define> = {
  init: defineInit,
  passwd: definePasswd,
  config: defineConfig,
  doctor: defineDoctor,
  health: defineHealth,
  backup: defineBackup,
  restore: defineRestore,
  verify: defineVerify,
  copy: defineCopy,
  login: defineLogin,
  logout: defineLogout,
  status: defineStatus,
  open: defineOpen,
  list: defineList,
  suggest: defineSuggest,
  stats: defineStats,
  authors: defineAuthors,
  get: defineGet,
  add: defineAdd,
  update: defineUpdate,
  edit: defineEdit,
  change: defineChange,
  delete: defineDelete,
  duplicates: defineDuplicates,
  merge: defineMerge,
  watch: defineWatch,
  history: defineHistory,
  revert: defineRevert,
  trash: defineTrash,
  undo: defineUndo,
  import: defineImport,
  export: defineExport,
  completion: defineCompletion,
  complete: defineComplete,
  help: defineHelp,
};
