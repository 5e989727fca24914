import { type Language, languageOf } from '../../texts/texts.ts';

/** The name of a value in the storage of a browser. Two catalogues of one origin, below different prefixes, keep theirs apart. */
export function storageKey(name: string): string {
  return `shelflist:${new URL('./', document.baseURI).pathname}:${name}`;
}

/** The language that was chosen in this browser; `undefined` if none was, or storage is blocked. */
export function chosenLanguage(): Language | undefined {
  try {
    return languageOf(localStorage.getItem(storageKey('language')) ?? '');
  } catch {
    return undefined;
  }
}

/** Keeps the choice for the next start of the page. Does nothing if storage is full or blocked. */
export function keepLanguage(language: string): void {
  try {
    localStorage.setItem(storageKey('language'), language);
  } catch {
    // The page stays in the language of the browser.
  }
}
