module.exports = globalThis.workerRequire('knex');
