/**
 * How similar duplicates are:
 *
 * - `same`: all fields are equal, ignoring case, accents, spacing and punctuation.
 * - `year`: as `same`, but ignoring the year.
 * - `typo`: as `same`, but a year of 0, which is unknown, equals any; and one of the texts may have one typing error, while the
 *   others have the same words.
 */
export const duplicateLevels = ['same', 'year', 'typo'] as const;
/** How similar the books of a group are. */
export type DuplicateLevel = (typeof duplicateLevels)[number];
