import { readJson, writeJson } from './session-storage.ts';

const key = (name: string) => `draft:${name}`;

/** What somebody has typed into a form; it survives a reload. `undefined`: nothing is kept. */
export function readDraft(name: string): unknown {
  return readJson(key(name));
}

export function writeDraft(name: string, value: unknown): void {
  writeJson(key(name), value);
}
