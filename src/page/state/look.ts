import { storageKey } from '../texts/choice.ts';

/** How the page looks in a browser, and whether it has shortcuts. The first choice of each is the default. */
export const looks = {
  /** The colours; `system`: those that the reader has chosen for all programs. */
  theme: ['system', 'light', 'dark'],
  /** The height of rows. */
  density: ['comfortable', 'compact'],
  /** Whether a single key, such as `n`, is a shortcut anywhere (WCAG 2.1.4): speech input can type it by mistake. */
  keys: ['on', 'off'],
} as const;

export type LookName = keyof typeof looks;
export const lookNames = Object.keys(looks) as LookName[];

/** The choice of this browser. */
export function lookOf(name: LookName): string {
  return document.documentElement.dataset[name] ?? keptLook(name);
}

function keptLook(name: LookName): string {
  const [first] = looks[name];
  try {
    const kept = localStorage.getItem(storageKey(name));
    return looks[name].find((each) => each === kept) ?? first;
  } catch {
    return first;
  }
}

/** Chooses, for this page and, unless storage is full or blocked, for the next start. The style sheet follows. */
export function setLook(name: LookName, value: string): void {
  document.documentElement.dataset[name] = value;
  try {
    localStorage.setItem(storageKey(name), value);
  } catch {
    // The next start is as if nobody had chosen.
  }
}

/** Gives the page the look that was chosen before. */
export function applyLook(): void {
  for (const name of lookNames) document.documentElement.dataset[name] = lookOf(name);
}
