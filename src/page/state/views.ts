/** The views of the page besides the list and a book: values of the parameter `view`. */
export const views = ['stats', 'authors', 'trash', 'import', 'duplicates', 'activity'] as const;

export type View = (typeof views)[number];

/** The parameters of the page besides those of `GET /books`: a view, the id of a book, and the level of the duplicates. */
export const pageParameters = ['view', 'book', 'level'] as const;
