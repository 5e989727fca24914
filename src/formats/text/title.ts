/** Joins a title and its subtitle: `Emma: a novel`; a title that ends with a mark of its own needs no colon. */
export function joinTitle(title: string, subtitle: string): string {
  if (title === '' || subtitle === '') return title + subtitle;
  return /[?!.:;,…]$/.test(title) ? `${title} ${subtitle}` : `${title}: ${subtitle}`;
}

/** Replaces each run of white space by a space, and trims. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
