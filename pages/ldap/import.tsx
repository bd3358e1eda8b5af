// Importing users or groups of one organization, without naming it in each row, and with passwords for new users where wanted.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Organization, organizations } from '../../shared/services/ldap/organizations.ts';
import { KINDS, ROWS_MOST, SHAPES } from '../../shared/services/ldap/transfer/columns.ts';
import { INITIAL_MOST } from '../../shared/services/ldap/transfer/initial.ts';
import { CodeBlock } from '../components/code.tsx';
import { CheckField, SelectField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { importIntro } from '../units/import-page.tsx';
import { ImportView } from '../units/import-view.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { LDAP, ORGANIZATIONS } from './places.tsx';

export const page = definePage({
  id: 'importLdapEntriesPage',
  path: `${ORGANIZATIONS}/{organization_id}/import`,
  current: LDAP.href,
  access: { session: 'write:ldap' },
  params: idParam('organization_id', 'Id of the organization.'),
  load: ({ db, params }) => findItem(db, organizations, params.organization_id),
  title: ({ slug }) => `Import into ${slug}`,
  view: ({ data: { id, slug }, state, outcome }: ViewProps<Organization>) => {
    const href = itemHref(ORGANIZATIONS, id);
    return (
      <ImportView
        form="importLdapEntriesForm"
        title="Import users or groups"
        trail={[LDAP, { href, label: <code>{slug}</code> }]}
        intro={importIntro(ROWS_MOST, 'rows of CSV')}
        nouns="rows"
        action={`${href}/import`}
        csrf={state.csrf}
        outcome={outcome}
        labels={{ kind: 'Users or groups', passwords: 'Passwords' }}
        before={(typed) => (
          <SelectField
            name="kind"
            label="Users or groups"
            value={typed.text('kind', 'users')}
            error={typed.of('kind')}
            options={KINDS.map((kind) => ({ value: kind, label: kind }))}
          />
        )}
        after={(typed) => (
          <CheckField
            name="passwords"
            label="A password for each new user"
            help={`They are shown on the next page, once. ${INITIAL_MOST} at most.`}
            checked={typed.checked('passwords', false)}
            error={typed.of('passwords')}
          />
        )}
        saved={(of) => <Passwords of={(of.result as { passwords: Made }).passwords} />}
      >
        <Columns />
      </ImportView>
    );
  },
});

function Columns() {
  return (
    <section class="stick samples" aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <p>
        The first line names them, in any order. Columns that are left out stay as they are, or have the default in a
        new row.
      </p>
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
      <p class="muted">
        Commas, semicolons or tabs stand between cells. Names in one cell are separated by semicolons; where those stand
        between cells, too, such a cell is in quotes.
      </p>
    </section>
  );
}

type Made = readonly { uid: string; password: string }[];

function Passwords({ of }: { of: Made }) {
  return (
    <section class="secret" aria-labelledby="passwords-title">
      <h2 id="passwords-title">Passwords of new users</h2>
      <p role="status">
        <b>The rows are saved. Copy the passwords now.</b> Only hashes are kept: nobody can show them again.
      </p>
      <CodeBlock label="Names and passwords, one user a line">
        {of.map(({ uid, password }) => `${uid},${password}`).join('\n')}
      </CodeBlock>
    </section>
  );
}
