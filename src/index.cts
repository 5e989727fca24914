// eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-assignment -- CommonJS callers get the very same modules.
module.exports = require('./index.js');
