/** Breaks a text into lines of at most `width` characters, between words. */
export function wrapText(text: string, width: number): string[] {
  return text.match(new RegExp(`(?=\\S).{1,${width}}(?=\\s|$)`, 'g')) ?? [];
}
