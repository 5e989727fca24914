/** The groups that the document shows its operations in. */
export const tags = {
  tokens: 'A token for a username and a password. It lasts 15 minutes.',
  books: 'Create, list, read, update and delete books. All of it takes a token.',
  operation: 'For those who run the service.',
  'cross-origin': 'What a browser asks before it sends a request of another origin’s page.',
} as const;

export type TagName = keyof typeof tags;
