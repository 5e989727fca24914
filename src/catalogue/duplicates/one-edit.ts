/** Whether texts are equal, or one insertion, deletion, replacement or swap of neighbours makes them equal. */
export function isWithinOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const longer = long.length - short.length;
  if (longer > 1) return false;
  let start = 0;
  while (start < short.length && short.charCodeAt(start) === long.charCodeAt(start)) start++;
  let end = 0;
  const maxEnd = short.length - start;
  while (end < maxEnd && short.charCodeAt(short.length - 1 - end) === long.charCodeAt(long.length - 1 - end))
    end++;
  const differing = maxEnd - end;
  if (longer === 1 || differing <= 1) return differing <= 1 - longer;
  const [one, other] = [start, start + 1];
  return differing === 2 && short[one] === long[other] && short[other] === long[one];
}
