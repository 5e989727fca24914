import { useEffect, useState } from 'preact/hooks';
import { type FieldName, searchedFields, wordMembers } from '../../catalogue/fields.ts';
import type { Span } from '../../catalogue/highlights.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { lazyScript } from './scripts.ts';

/** The name of the script with the rules of words. It is beside this one; the build inserts it. */
declare const highlightScript: string;
type Script = typeof import('../../catalogue/highlights.ts');
const loadScript = lazyScript<Script>(highlightScript);

/** Finds the letters of a field that are marked. */
export type Marker = (name: FieldName, text: string) => readonly Span[];

const markNothing: Marker = () => [];

/** Finds the letters that a query has found. It finds none until its script has come: the list does not wait for it. */
export function useMarker(query: BookQuery, isWithin: boolean): Marker {
  const [script, setScript] = useState<Script>();
  const hasWords = wordMembers.some((name) => query[name] !== undefined);
  useEffect(() => {
    if (hasWords)
      loadScript().then(
        (loaded) => {
          setScript(loaded);
        },
        () => undefined, // The books are readable without.
      );
  }, [hasWords]);
  if (!hasWords || script === undefined) return markNothing;
  const words = script.highlightedWords(query);
  return (name, text) => {
    const field = searchedFields.find((each) => each === name);
    return field === undefined ? [] : script.highlights(text, words[field], isWithin);
  };
}
