/**
 * Identifies the rules by which texts become indexed words and sort keys. A store whose index was made with another version
 * indexes its books again. It is a constant because computing it would be a tenth of the time that a service takes to start; a
 * test compares it with what the rules make of sample texts.
 */
export const foldingVersion = 'dbf76c3590fa';
