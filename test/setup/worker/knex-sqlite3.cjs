module.exports = globalThis.workerRequire('knex/lib/dialects/sqlite3/index.js');
