// CommonJS callers get the very same modules: Node >= 20.19 can require them.
// eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-assignment
module.exports = require('./client.js');
