/** The views of the page besides the list and a book: values of the parameter `view`. */
export const views = ['stats', 'authors', 'trash', 'import', 'duplicates', 'activity', 'settings'] as const;

export type View = (typeof views)[number];

/**
 * The parameters of the page besides those of `GET /books`: a view, the id of a book, the level of the duplicates, and whether
 * words that find nothing are not corrected.
 */
export const pageParameters = ['view', 'book', 'level', 'exact'] as const;
