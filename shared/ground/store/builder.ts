// The knex instance that builds statements whose shape varies (filters, sort orders, multi-row inserts). It never
// connects: what it builds is run by the store, where statements are counted and faults injected.
import createKnex from 'knex';

export const build = createKnex({ client: 'sqlite3', useNullAsDefault: true });
