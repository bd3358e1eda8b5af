// Importing users or groups: a file, all of it or nothing. A preview is a dry run that says what would become of each row.
import { idParam } from '../../shared/ground/schemas/component.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Organization, organizations } from '../../shared/services/ldap/organizations.ts';
import { KINDS, SHAPES } from '../../shared/services/ldap/transfer/columns.ts';
import { INITIAL_MOST } from '../../shared/services/ldap/transfer/initial.ts';
import { ROWS_MOST } from '../../shared/services/ldap/transfer/read.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CodeBlock } from '../components/code.tsx';
import { CheckField, Form, FormActions, SelectField, TextArea } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ON_APPLY, Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { LDAP, ORGANIZATIONS } from './places.tsx';

const FORM = 'importLdapEntriesForm';

export const page = definePage({
  id: 'importLdapEntriesPage',
  path: `${ORGANIZATIONS}/{organization_id}/import`,
  current: LDAP.href,
  access: { session: 'write:ldap' },
  params: idParam('organization_id', 'Id of the organization.'),
  load: ({ db, params }) => findItem(db, organizations, params.organization_id),
  title: ({ slug }) => `Import into ${slug}`,
  view: Import,
});

function Import({ data: { id, slug }, state, outcome }: ViewProps<Organization>) {
  const typed = typedInto(FORM, outcome);
  const href = itemHref(ORGANIZATIONS, id);
  return (
    <>
      <PageHead
        title="Import users or groups"
        here="Import"
        trail={[LDAP, { href, label: <code>{slug}</code> }]}
        intro={`Up to ${ROWS_MOST} rows at once. Either all of them are saved or none; nobody is deleted.`}
      />
      <Refused typed={typed} labels={{ csv: 'Rows', kind: 'Users or groups', passwords: 'Passwords' }} />
      {typed.outcome && !typed.outcome.problem && <Outcome of={typed.outcome} />}
      <div class="split">
        <Form action={`${href}/import`} csrf={state.csrf} look="stack" label={`Import into ${slug}`}>
          <SelectField
            name="kind"
            label="Users or groups"
            value={typed.text('kind', 'users')}
            options={KINDS.map((kind) => ({ value: kind, label: kind }))}
          />
          <TextArea
            name="csv"
            label="Rows"
            value={typed.text('csv', '')}
            error={typed.of('csv')}
            rows={16}
            mono
            required
          />
          <CheckField
            name="passwords"
            label="A password for each new user"
            help={`They are shown on the next page, once. ${INITIAL_MOST} at most.`}
            checked={typed.outcome?.values.has('passwords') ?? false}
            error={typed.of('passwords')}
          />
          <FormActions note={ON_APPLY}>
            <Button kind="primary">Import</Button>
            <Button name="dry_run" value="true">
              Preview
            </Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
        <Columns />
      </div>
    </>
  );
}

function Columns() {
  return (
    <section class="stick samples" aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <p>The first line names them, in any order. Those that are left out stay as they are.</p>
      {KINDS.map((kind) => (
        <p key={kind}>
          Of {kind}: <code>{SHAPES[kind].columns.join(', ')}</code>
        </p>
      ))}
      <CodeBlock label="Example of users">{`uid,given_name,surname,enabled
ada,Ada,Lovelace,true
grace,Grace,Hopper,true`}</CodeBlock>
      <CodeBlock label="Example of groups">{`name,member_users,member_groups
Operators,ada;grace,
VCF Admins,,Operators`}</CodeBlock>
      <p class="muted">Names in one cell are separated by semicolons, cells by commas.</p>
    </section>
  );
}

interface Answer {
  created: number;
  changed: number;
  unchanged: number;
  rows: { line: number; name: string; change: 'created' | 'changed' | 'unchanged'; members: string[] }[];
  passwords: { uid: string; password: string }[];
}

const FATES = { created: 'New', changed: 'Changes', unchanged: 'Stays' } as const;

/** What became of it, or would. */
function Outcome({ of: { result, dry_run } }: { of: FormOutcome }) {
  const { created, changed, unchanged, rows, passwords } = result as Answer;
  return (
    <section class="fig" aria-labelledby="outcome">
      <h2 id="outcome">{dry_run ? 'Preview' : 'Imported'}</h2>
      <p role="status">
        {created} new, {changed} changed, {unchanged} as they were.{' '}
        {dry_run ? 'Nothing is saved yet.' : 'Saved; the directory follows at the next apply.'}
      </p>
      {passwords.length > 0 && <Passwords of={passwords} />}
      <DataTable
        caption="The rows by line"
        columns={[
          { key: 'line', label: 'Line', look: 'number', cell: ({ line }) => line },
          { key: 'name', label: 'Name', look: 'code', cell: ({ name }) => name },
          {
            key: 'change',
            label: 'Import',
            cell: ({ change }) => <State kind={change === 'unchanged' ? 'off' : 'ok'}>{FATES[change]}</State>,
          },
          { key: 'members', label: 'What changes', cell: ({ members }) => members.join(', ') },
        ]}
        rows={rows}
        rowKey={({ line }) => `${line}`}
        empty=""
      />
    </section>
  );
}

function Passwords({ of }: { of: Answer['passwords'] }) {
  return (
    <section class="secret" aria-labelledby="passwords-title">
      <h3 id="passwords-title">Passwords of new users</h3>
      <p>
        <b>Copy them now.</b> Only hashes are kept: nobody can show them again.
      </p>
      <CodeBlock label="Passwords of new users">
        {of.map(({ uid, password }) => `${uid},${password}`).join('\n')}
      </CodeBlock>
    </section>
  );
}
