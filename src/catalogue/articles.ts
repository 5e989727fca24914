/** The articles of the languages of the page: offered for the order by title, and not counted by fitness. */
export const articlesOfLanguages: Readonly<Record<string, string>> = {
  en: 'the,a,an',
  de: 'der,die,das,ein,eine',
  fr: "le,la,les,l',un,une",
  es: 'el,la,los,las,un,una',
};
