// knex publishes no types for its dialects.
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';

  const dialect: typeof Knex.Client;
  export default dialect;
}
