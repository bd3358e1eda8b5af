// Schema 6: how many addresses are taken in each block of 256, so that a search for free ones passes over full blocks
// without reading their rows. Kept by triggers: no write path can forget it.
import type { Knex } from 'knex';

export const name = '0006-address-blocks';

export async function up(knex: Knex): Promise<void> {
  for (const statement of [TABLE, ...TRIGGERS, FILL]) await knex.raw(statement);
}

/**
 * `type` is that of the record; IPv4 reservations count among A. `block` is how the canonical texts of a block's addresses
 * begin. An address counts once, however many names and reservations it has.
 */
const TABLE = `CREATE TABLE address_block (
    type TEXT NOT NULL, block TEXT NOT NULL, taken INTEGER NOT NULL, PRIMARY KEY (type, block)) STRICT, WITHOUT ROWID`;

/** `10.0.0.` of 10.0.0.7. */
const blockOf4 = (address: string): string => `rtrim(${address}, '0123456789')`;

/**
 * `fd00::` of fd00::7 and fd00::77, `fd00::7` of fd00::777: the last two hexadecimal digits of the last group are left
 * out, as far as it has them. Where that group is zero the text may end in `::` and begin otherwise than those of its
 * block: it then counts for itself, and its block is never full.
 */
const blockOf6 = (address: string): string =>
  `substr(${address}, 1, max(length(rtrim(${address}, '0123456789abcdef')), length(${address}) - 2))`;

const recordBlock = (row: string): string =>
  `iif(${row}.type = 'A', ${blockOf4(`${row}.value`)}, ${blockOf6(`${row}.value`)})`;

interface Holder {
  table: 'dns_record' | 'dhcp_reservation';
  /** Columns that decide which address a row takes. */
  columns: readonly string[];
  type: (row: string) => string;
  block: (row: string) => string;
  /** Whether a row takes an address at all. */
  takes: (row: string) => string;
  /** Whether another row has the same address: then this one neither takes it nor leaves it free. */
  shares: (row: string) => string;
}

const HOLDERS: readonly Holder[] = [
  {
    table: 'dns_record',
    columns: ['value', 'type'],
    type: (row) => `${row}.type`,
    block: recordBlock,
    takes: (row) => `${row}.type IN ('A', 'AAAA')`,
    shares: (row) => `EXISTS (SELECT 1 FROM dns_record other
        WHERE other.value = ${row}.value AND other.type = ${row}.type AND other.rowid <> ${row}.rowid)
      OR (${row}.type = 'A' AND EXISTS (SELECT 1 FROM dhcp_reservation other
        WHERE other.ip_address = ${row}.value AND other.address_family = 'ipv4'))`,
  },
  {
    // No two of them have one address.
    table: 'dhcp_reservation',
    columns: ['ip_address', 'address_family'],
    type: () => "'A'",
    block: (row) => blockOf4(`${row}.ip_address`),
    takes: (row) => `${row}.address_family = 'ipv4'`,
    shares: (row) =>
      `EXISTS (SELECT 1 FROM dns_record other WHERE other.value = ${row}.ip_address AND other.type = 'A')`,
  },
];

const TRIGGERS = HOLDERS.flatMap(({ table, columns, type, block, takes, shares }) => {
  const enter = `INSERT INTO address_block (type, block, taken) VALUES (${type('NEW')}, ${block('NEW')}, 1)
        ON CONFLICT DO UPDATE SET taken = taken + 1;`;
  const at = `type = ${type('OLD')} AND block = ${block('OLD')}`;
  const leave = `UPDATE address_block SET taken = taken - 1 WHERE ${at};
        DELETE FROM address_block WHERE ${at} AND taken < 1;`;
  const trigger = (word: string, event: string, row: 'OLD' | 'NEW', when = '') =>
    `CREATE TRIGGER ${table}_${word}_block AFTER ${event} ON ${table}
      WHEN ${when}${takes(row)} AND NOT (${shares(row)})
      BEGIN ${row === 'NEW' ? enter : leave} END`;
  const update = `UPDATE OF ${columns.join(', ')}`;
  const moved = `(${columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}) AND `;
  return [
    trigger('enters', 'INSERT', 'NEW'),
    trigger('leaves', 'DELETE', 'OLD'),
    trigger('moves_into', update, 'NEW', moved),
    trigger('moves_out_of', update, 'OLD', moved),
  ];
});

const FILL = `INSERT INTO address_block (type, block, taken)
  SELECT type, ${recordBlock('address')}, count(*) FROM (
    SELECT type, value FROM dns_record WHERE type IN ('A', 'AAAA')
    UNION SELECT 'A', ip_address FROM dhcp_reservation WHERE address_family = 'ipv4') address
  GROUP BY 1, 2`;
