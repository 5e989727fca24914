import { sortInSlices } from '../sort-in-slices.ts';
import { visitInSlices } from '../time-slices.ts';

/** The number of texts after each one, in order, that it is compared with: more begin alike in a series. */
const maxFollowers = 1000;

/**
 * The pairs of texts that are near each other, each once, by their indexes. An edit (one insertion, deletion, replacement or swap of
 * neighbours) leaves one half of a text as it is. So texts within one edit are close to each other in their order, or in that
 * of their reverses: no pairs elsewhere are compared.
 *
 * @param isNear It accepts pairs within one edit, at most.
 */
export async function nearPairs(
  texts: readonly string[],
  isNear: (a: string, b: string) => boolean,
): Promise<(readonly [number, number])[]> {
  /** By a number for each pair. */
  const pairs = new Map<number, readonly [number, number]>();
  for (const read of [(text: string) => text, reverse]) {
    const forms: string[] = [];
    await visitInSlices(texts, (text) => {
      forms.push(read(text));
    });
    const order = await sortInSlices(forms);
    const formAt = (place: number) => forms[order[place] ?? -1] ?? '';
    /** How much of its beginning each form shares with the one before. */
    const shared: number[] = [];
    await visitInSlices(order.keys(), (place) => {
      shared.push(place === 0 ? 0 : sharedLength(formAt(place - 1), formAt(place)));
    });
    await visitInSlices(order.keys(), (place) => {
      const form = formAt(place);
      const half = Math.max(0, Math.floor(form.length / 2) - 1);
      const end = Math.min(order.length, place + 1 + maxFollowers);
      let start = form.length;
      for (let next = place + 1; next < end; next++) {
        start = Math.min(start, shared[next] ?? 0);
        if (start < half) break;
        if (!mayBeNear(form, formAt(next), start)) continue;
        const [i = 0, j = 0] = [order[place], order[next]];
        if (!isNear(texts[i] ?? '', texts[j] ?? '')) continue;
        pairs.set(Math.min(i, j) * texts.length + Math.max(i, j), [i, j]);
      }
    });
  }
  return [...pairs.values()];
}

/** A quick test for most texts: behind an edit, both end alike. @param start The length of their common beginning. */
function mayBeNear(a: string, b: string, start: number): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const common = Math.max(a.length, b.length) - start - 2;
  for (let i = 1; i <= common; i++)
    if (a.charCodeAt(a.length - i) !== b.charCodeAt(b.length - i)) return false;
  return true;
}

function sharedLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) return i;
  return length;
}

function reverse(text: string): string {
  let reversed = '';
  for (let i = text.length - 1; i >= 0; i--) reversed += text.charAt(i);
  return reversed;
}
