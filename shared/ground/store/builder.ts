// The knex instance that builds statements whose shape varies (filters, sort orders, multi-row inserts). It never
// connects: what it builds is run by the store, where statements are counted and faults injected. Knex is loaded for the first
// of them: loaded at the start it takes a third more processor time until the first answer, and 8 MiB.
import { createRequire } from 'node:module';
import type { Knex } from 'knex';

let made: Knex | undefined;

function knex(): Knex {
  if (!made) {
    const create = createRequire(import.meta.url)('knex') as typeof import('knex').default;
    made = create({ client: 'sqlite3', useNullAsDefault: true });
  }
  return made;
}

export const build = new Proxy((() => undefined) as unknown as Knex, {
  apply: (_target, _this, tables: Parameters<Knex>) => knex()(...tables),
  get: (_target, member: keyof Knex) => knex()[member],
});
