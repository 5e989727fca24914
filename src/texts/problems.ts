import { describeCut, englishProblems, listReadings, type ProblemTexts } from '../formats/problems.ts';
import { deProblems } from './de.ts';
import { esProblems } from './es.ts';
import { frProblems } from './fr.ts';
import type { Language } from './texts.ts';

/** Where the page has no options to name. */
const en: ProblemTexts = {
  ...englishProblems,
  mixedEncodings: () => 'the file mixes UTF-8 and Windows-1252; save it as “CSV UTF-8”',
  severalEncodings: ({ readings }) => `the encoding of the file is uncertain: ${listReadings(readings)}`,
  cutOff: (cut) =>
    `the file is cut off: ${describeCut(cut)}; to add the rest, import the whole file, and leave out the books that the catalogue has`,
};

/** What is wrong with a file or a row, in each language of the page. They load with the script of the import. */
export const problemTexts: Readonly<Record<Language, ProblemTexts>> = {
  en,
  de: deProblems,
  fr: frProblems,
  es: esProblems,
};
