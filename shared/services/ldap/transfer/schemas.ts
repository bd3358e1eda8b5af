// What an import and a generator of test users take and answer.
import * as v from 'valibot';
import { component, described, text } from '../../../ground/schemas/component.ts';
import { importSchema as rowsSchema } from '../../../platform/units/import-schemas.ts';
import { KINDS, ROWS_MOST } from './columns.ts';
import { INITIAL_MOST } from './initial.ts';

/** Bytes of a body. */
export const IMPORT_BYTES = 1 << 20;

export const importSchema = component(
  'LdapImport',
  v.strictObject({
    kind: described(v.picklist(KINDS), 'Whether the rows are users or groups.'),
    csv: described(
      v.pipe(v.string(), v.minLength(1, 'The file is missing or empty.')),
      `CSV (RFC 4180) with a line of column names first; ${ROWS_MOST} rows at most.`,
    ),
    passwords: v.optional(
      described(
        v.picklist(['none', 'each']),
        `each: every new user gets a password of its own, which is only in this answer; ${INITIAL_MOST} at most. Default none.`,
      ),
    ),
  }),
  { kind: 'users', csv: 'uid,given_name,surname\nada,Ada,Lovelace\n' },
);

/** As its page sends it: with what every import of rows takes. */
export const importFormSchema = v.strictObject({ ...importSchema.entries, ...rowsSchema.entries });

const passwordsSchema = described(
  v.array(
    v.object({ uid: text('Name that it signs in with.'), password: text('Write it down: it is in no other answer.') }),
  ),
  'Passwords of new users.',
);

export const importedSchema = component(
  'LdapImported',
  v.object({
    created: described(v.number(), 'Rows that were not there.'),
    changed: described(v.number(), 'Rows that changed an existing entry.'),
    unchanged: described(v.number(), 'Rows whose entry was like that already.'),
    rows: described(
      v.array(
        v.object({
          line: described(v.number(), 'Line of the file, from 1.'),
          name: text('Name of the user or group.'),
          change: described(v.picklist(['created', 'changed', 'unchanged']), 'What became of it.'),
          members: described(v.array(v.string()), 'Members whose value changed.'),
        }),
      ),
      'In the order of the file.',
    ),
    passwords: passwordsSchema,
  }),
);

export const TEST_USERS_MOST = 2_000;
export const TEST_GROUPS_MOST = 50;

export const testUsersSchema = component(
  'LdapTestUsers',
  v.strictObject({
    count: described(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(TEST_USERS_MOST)),
      `Users to make: 1 to ${TEST_USERS_MOST}.`,
    ),
    groups: v.optional(
      described(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(TEST_GROUPS_MOST)),
        `Groups to make, among which the users are spread: 0 to ${TEST_GROUPS_MOST}. Default 0.`,
      ),
    ),
    seed: described(
      v.pipe(
        v.string(),
        v.regex(/^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/, 'Lower-case letters, digits and inner hyphens; 16 at most.'),
      ),
      'The same seed gives the same names, which end in it.',
    ),
    passwords: v.optional(
      described(
        v.picklist(['none', 'same']),
        'same: all get one generated password, for labs, which is only in this answer. Default none.',
      ),
    ),
  }),
  { count: 20, groups: 2, seed: 'lab1' },
);

export const testUsersMadeSchema = component(
  'LdapTestUsersMade',
  v.object({
    users: described(v.array(v.string()), 'Names that they sign in with.'),
    groups: described(v.array(v.string()), 'Names of the groups.'),
    password: described(v.nullable(v.string()), 'The one of all; null: they have none.'),
  }),
);
