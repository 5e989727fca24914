import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { defineAdd } from './add.ts';
import { defineBackup } from './backup.ts';
import { defineComplete } from './complete.ts';
import { defineCompletion } from './completion.ts';
import { defineConfig } from './config.ts';
import { defineDelete } from './delete.ts';
import { defineDoctor } from './doctor.ts';
import { defineEdit } from './edit.ts';
import { defineExport } from './export.ts';
import { defineGet } from './get.ts';
import { defineHelp } from './help.ts';
import { defineImport } from './import.ts';
import { defineInit } from './init.ts';
import { defineList } from './list.ts';
import { defineLogin } from './login.ts';
import { defineLogout } from './logout.ts';
import type { names } from './names.ts';
import { defineRestore } from './restore.ts';
import { defineStatus } from './status.ts';
import { defineUpdate } from './update.ts';

/** Gives a command its options, arguments, help and action. */
export type Define = (command: Command, io: Io) => void;

/** Of all commands but `serve`. */
export const definitions: Record<Exclude<keyof typeof names, 'serve'>, Define> = {
  init: defineInit,
  config: defineConfig,
  doctor: defineDoctor,
  backup: defineBackup,
  restore: defineRestore,
  login: defineLogin,
  logout: defineLogout,
  status: defineStatus,
  list: defineList,
  get: defineGet,
  add: defineAdd,
  update: defineUpdate,
  edit: defineEdit,
  delete: defineDelete,
  import: defineImport,
  export: defineExport,
  completion: defineCompletion,
  complete: defineComplete,
  help: defineHelp,
};
