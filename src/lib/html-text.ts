// Untrusted text in HTML: as content of elements, as an attribute value in quotes, and as the data of a script.
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;', // A parser would make it a line feed.
  '\0': '\uFFFD', // HTML cannot represent it.
};

/** Escapes a text for contents of elements and for attribute values in quotes, and for nothing else: no scripts, styles or comments. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r\0]/g, (character) => escapes[character] ?? '');
}

/** JSON as the text of a script: without `<`, neither an end tag nor a comment can begin in it. */
export function toScriptText(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
