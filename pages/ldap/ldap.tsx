// The directory: where it answers, and its organisations.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { SavedSettings } from '../../shared/platform/units/settings.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { type Organization, organizations } from '../../shared/services/ldap/organizations.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { type LdapStatus, ldapStatus } from '../../shared/services/ldap/status.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { Codes, List, listenFacts } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { ORGANIZATION_PAGES } from './organization-pages.tsx';
import { ACCOUNTS, GROUPS, LDAP, USERS } from './places.tsx';

type Saved = SavedSettings<(typeof ldapSettings)['defaults']>;

interface Data {
  readiness: Readiness;
  settings: Saved;
  organizations: Listed<Organization>;
  /** Told by the running directory. */
  status: LdapStatus;
}

export const page = definePage({
  id: 'ldapPage',
  path: LDAP.href,
  access: { session: 'read:ldap' },
  query: v.object(LIST_QUERY),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    const [{ saved }, listed, status] = await Promise.all([
      readSettings(db, ldapSettings),
      readListed(db, { collection: organizations, of: 'organization', standings, query, outcome }),
      ldapStatus(services),
    ]);
    return {
      readiness: await readinessOf(services, 'ldap', standings),
      settings: saved,
      organizations: listed,
      status,
    };
  },
  title: () => 'LDAP',
  view: Ldap,
});

const encryption = ({ ldaps_enabled, ldaps_port, ldap_enabled, ldap_port, allow_plain_bind }: Saved): Fact[] => [
  { label: 'LDAPS', value: ldaps_enabled ? `port ${ldaps_port}` : <span class="muted">off</span> },
  { label: 'LDAP with StartTLS', value: ldap_enabled ? `port ${ldap_port}` : <span class="muted">off</span> },
  ...(ldap_enabled ? [{ label: 'Sign-in without TLS', value: allow_plain_bind ? 'allowed' : 'refused' }] : []),
];

const lockout = ({ password_max_failures, password_lockout_minutes }: Saved): string => {
  if (password_max_failures === 0) return 'never';
  const until = password_lockout_minutes === 0 ? 'until unlocked' : `for ${password_lockout_minutes} min`;
  return `after ${password_max_failures} wrong passwords, ${until}`;
};

/** Entries that are not in force although they were applied. */
function Refusals({ of: { refused, faults } }: { of: LdapStatus }) {
  if (refused === null || faults === null || refused.length + faults.length === 0) return null;
  return (
    <section aria-labelledby="refused-title">
      <h2 id="refused-title">
        <State kind="bad">
          {faults.length > 0 ? 'Not all entries are as applied' : 'slapd refuses entries that were applied'}
        </State>
      </h2>
      <ul>
        {refused.map(({ dn, detail }) => (
          <li key={dn}>
            <code>{dn}</code>: {detail}.
          </li>
        ))}
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      {faults.length === 0 && <p>All other entries are as applied. Change these and apply again.</p>}
    </section>
  );
}

function Ldap({ data: { readiness, settings, organizations: all, status }, state, outcome }: ViewProps<Data>) {
  const { base } = ORGANIZATION_PAGES;
  const writes = state.user.scopes.includes('write:ldap');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${base}/new`}>
      Add organization
    </ButtonLink>
  );
  return (
    <>
      <PageHead title="LDAP" intro="Users and groups for products of the lab.">
        <ButtonLink href={USERS.href}>Users</ButtonLink>
        <ButtonLink href={GROUPS.href}>Groups</ButtonLink>
        <ButtonLink href={ACCOUNTS.href}>Bind accounts</ButtonLink>
        <ButtonLink href={pagePath('ldap-clients')}>Clients</ButtonLink>
        {writes && <ButtonLink href={pagePath('automation-ldap')}>Set at VCF Automation</ButtonLink>}
        <ButtonLink href={`${LDAP.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={hasRows(all)} state={state} />
      <Facts
        facts={[
          ...listenFacts(state.standings, 'ldap', settings),
          ...encryption(settings),
          { label: 'Accounts lock', value: lockout(settings) },
          ...(status.locked === null
            ? []
            : [{ label: 'Locked now', value: <Codes items={status.locked.map(({ dn }) => dn)} /> }]),
        ]}
      />
      <Refusals of={status} />
      <ReadinessList of={readiness} state={state} />
      <List title="Organizations" action={hasRows(all) && add}>
        <CollectionList
          collection={organizations}
          of="organization"
          listed={all}
          outcome={outcome}
          state={state}
          href={LDAP.href}
          itemHref={({ id }) => itemHref(base, id)}
          caption="Organizations by short name"
          columns={[
            {
              key: 'slug',
              label: 'Organization',
              look: 'code',
              cell: ({ id, slug }) => <a href={itemHref(base, id)}>{slug}</a>,
            },
            { key: 'suffix', label: 'Base DN', look: 'code', cell: ({ suffix }) => suffix },
            {
              key: 'state',
              label: 'State',
              look: 'nowrap',
              cell: (row) => <RowWord standings={state.standings} of="organization" row={row} />,
            },
            { key: 'description', label: 'Description', cell: ({ description }) => description },
            {
              key: 'updated_at',
              label: 'Changed',
              look: 'nowrap',
              cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
            },
          ]}
          empty={
            <Empty>
              There is no organization yet. Each is a tree of its own, whose users and groups no account of another one
              can read. {add}
            </Empty>
          }
        />
      </List>
    </>
  );
}
