// Saves a file of users or groups of an organisation.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { MutationContext } from '../../shared/kernel/operation/operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { refuseRows } from '../../shared/platform/units/import-rows.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { ROWS_MOST } from '../../shared/services/ldap/transfer/columns.ts';
import { type Into, importFile, newNames } from '../../shared/services/ldap/transfer/import.ts';
import { type Initial, initialPasswords, saveInitial } from '../../shared/services/ldap/transfer/initial.ts';
import { type ReadFile, readEntries } from '../../shared/services/ldap/transfer/read.ts';
import { IMPORT_BYTES, importedSchema, importSchema } from '../../shared/services/ldap/transfer/schemas.ts';

/** Names in the audit event; the others are counted. */
const NAMED = 20;

interface Prepared {
  file: ReadFile;
  passwords: Map<string, Initial>;
}

/** What the operation and its form do: a refused row refuses all, but in the preview of the form, which shows its faults. */
export async function importedEntries(
  {
    services,
    tx,
    actor,
    params,
    prepared,
    audit,
  }: Pick<
    MutationContext<{ organization_id: string }, unknown, unknown>,
    'services' | 'tx' | 'actor' | 'params' | 'audit'
  > & { prepared: unknown },
  how: Omit<Into, 'organization_id'> & { shows_faults: boolean },
) {
  const { file, passwords } = prepared as Prepared;
  const { id, slug } = await findItem(tx, organizations, params.organization_id);
  const shell = { ...services, actor };
  const { rows, previewed } = await importFile(tx, shell, file, { ...how, organization_id: id });
  const faults = rows.flatMap((row) => row.faults);
  if (!how.shows_faults && faults.length > 0) refuseRows(faults);
  const made: { uid: string; password: string }[] = [];
  for (const { title, id: user_id, fate } of rows) {
    const initial = fate === 'new' ? passwords.get(title) : undefined;
    if (!initial) continue;
    await saveInitial(tx, shell, user_id!, initial);
    made.push({ uid: title, password: initial.password });
  }
  const many = (fate: string) => rows.filter((row) => row.fate === fate).length;
  const counts = { created: many('new'), changed: many('changed'), unchanged: many('same') };
  const unchanged = counts.created + counts.changed === 0;
  if (!unchanged) {
    const first = rows
      .flatMap(({ title, fate }) => (fate === 'new' || fate === 'changed' ? title : []))
      .slice(0, NAMED);
    const detail = { organization: slug, kind: file.kind, ...counts, passwords: made.length, first };
    audit({ action: 'ldap.import', resource_type: 'ldap_organization', resource_id: id, detail });
  }
  return { rows, previewed, passwords: made, counts, ...(unchanged && { unchanged: true as const }) };
}

const BECAME = { new: 'created', changed: 'changed', same: 'unchanged' } as const;

export const operation = defineOperation({
  id: 'importLdapEntries',
  method: 'POST',
  path: '/api/v1/ldap/organizations/{organization_id}/import',
  access: { scope: 'write:ldap' },
  effect: 'desired-state',
  tag: 'LDAP',
  summary: 'Import users or groups',
  description: `Saves desired state only; the directory follows at the next reviewed apply. Rows whose name is not there are created, others are changed where the file says something else, and nobody is deleted: all of it or nothing. The first line names the columns, in any order: uid, kind, given_name, surname, display_name, mail, telephone, enabled, description of users; name, member_users, member_groups, enabled, description of groups. Columns that are left out stay as they are. Names in one cell are separated by semicolons; enabled is true or false. Cells are separated by commas, semicolons or tabs. ${ROWS_MOST} rows at most. A refusal names each fault with its line and column. A dry run answers what would become of each row, and makes no password. All share one audit event.`,
  params: idParam('organization_id', 'Id of the organization.'),
  body: importSchema,
  bodyLimit: IMPORT_BYTES,
  answers: {
    200: { description: 'What became of each row, and the passwords that were made.', schema: importedSchema },
  },
  problems: ['resource_not_found'],
  audit: ['ldap.import'],
  async prepare({ services, params, body, request }): Promise<Prepared> {
    const { id } = await findItem(services.store, organizations, params.organization_id);
    const file = readEntries(body.kind, body.csv);
    const wanted = body.passwords === 'each' && body.kind === 'users' && !request.dry_run;
    const names = wanted ? await newNames(services.store, file, id) : [];
    return { file, passwords: await initialPasswords(services.store, names) };
  },
  async run(context) {
    const { rows, counts, passwords, unchanged } = await importedEntries(context, { shows_faults: false });
    const told = rows.map(({ line, title, fate, changes }) => ({
      line,
      name: title,
      change: BECAME[fate as keyof typeof BECAME],
      members: changes.map(({ member }) => member),
    }));
    return { body: { ...counts, rows: told, passwords }, ...(unchanged && { unchanged }) };
  },
});
