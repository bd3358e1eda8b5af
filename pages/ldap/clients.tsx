// What clients of the directory are given: values to type, as they are in force, and who has signed in from where.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type Card, cardsFor, ROOT } from '../../shared/services/ldap/clients/cards.ts';
import { directoryInForce, type InForce } from '../../shared/services/ldap/clients/in-force.ts';
import { clientsSeen, type SeenClient } from '../../shared/services/ldap/clients/seen.ts';
import { accountDn } from '../../shared/services/ldap/follow/wanted.ts';
import { accountNow } from '../../shared/services/ldap/status.ts';
import { ButtonLink } from '../components/button.tsx';
import { CodeBlock } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { List } from '../units/listing.tsx';
import { ACCOUNTS, LDAP } from './places.tsx';

interface Data {
  inForce: InForce | null;
  /** `SLUG/ACCOUNT` of those that there are. */
  choices: string[];
  chosen: string;
  cards: Card[];
  seen: SeenClient[];
  /** RFC 3339; null: the account has not signed in, or nobody knows. */
  last: string | null;
}

const name = v.optional(v.pipe(v.string(), v.maxLength(128)), '');

export const page = definePage({
  id: 'ldapClientsPage',
  path: pagePath('ldap-clients'),
  current: LDAP.href,
  access: { session: 'read:ldap' },
  query: v.object({ account: name }),
  async load({ services, query }): Promise<Data> {
    const inForce = await directoryInForce(services.host);
    const all = (inForce?.organizations ?? []).flatMap((organization) =>
      organization.accounts.map((account) => ({ key: `${organization.slug}/${account}`, organization, account })),
    );
    const chosen = all.find(({ key }) => key === query.account) ?? all[0];
    const dn = chosen && accountDn(chosen.account, chosen.organization.suffix);
    return {
      inForce,
      choices: all.map(({ key }) => key),
      chosen: chosen?.key ?? '',
      cards: chosen && inForce ? cardsFor({ ...chosen, servers: inForce.servers }) : [],
      seen: clientsSeen(services.store),
      last: (dn && (await accountNow(services, dn))?.last_sign_in) || null,
    };
  },
  title: () => 'Clients of the directory',
  view: Clients,
});

function Clients({ data, state }: ViewProps<Data>) {
  const { inForce, choices, chosen, cards, last, seen } = data;
  return (
    <>
      <PageHead
        title="Clients"
        trail={[LDAP]}
        intro="Values to enter in each product, as in force now. Passwords are on the pages of the accounts."
      >
        <ButtonLink href={pagePath('certificate-authority')}>Root certificate</ButtonLink>
        <ButtonLink href={ACCOUNTS.href}>Bind accounts</ButtonLink>
      </PageHead>
      {inForce === null && <Empty>The directory is not in force: nothing can sign in to it yet.</Empty>}
      {inForce !== null && cards.length === 0 && (
        <Empty>No bind account is in force yet. Each product signs in with one of its own.</Empty>
      )}
      {choices.length > 1 && (
        <FilterBar
          place={{ path: pagePath('ldap-clients'), query: state.query }}
          selects={[
            {
              name: 'account',
              label: 'Bind account',
              any: choices[0]!,
              value: chosen,
              options: choices.slice(1).map((value) => ({ value, label: value })),
            },
          ]}
        />
      )}
      {cards.length > 0 && (
        <p>
          Bind account <code>{chosen}</code>:{' '}
          {last === null ? (
            <State kind="off">has not signed in</State>
          ) : (
            <>
              <State kind="ok">signed in</State> <Instant at={last} now={state.now} />
            </>
          )}
        </p>
      )}
      {cards.map((card) => (
        <ClientCard key={card.id} card={card} writes={state.user.scopes.includes('write:ldap')} />
      ))}
      {inForce !== null && <Seen of={seen} now={state.now} />}
    </>
  );
}

function ClientCard({ card, writes }: { card: Card; writes: boolean }) {
  const { id, title, intro, values, file } = card;
  return (
    <section class="below" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{intro}</p>
      {values.length > 0 && (
        <Facts
          facts={values.map(({ label, value }, at) => ({
            label,
            value:
              value === ROOT ? (
                <a href={pagePath('certificate-authority')}>{ROOT}</a>
              ) : (
                <Copyable id={`${id}-${at}`} text={value} />
              ),
          }))}
        />
      )}
      {file && <CodeBlock label={file.label}>{file.text}</CodeBlock>}
      {id === 'automation' && writes && (
        <div class="actions">
          <ButtonLink href={pagePath('automation-ldap')}>Set at VCF Automation</ButtonLink>
        </div>
      )}
    </section>
  );
}

/** By the connections that the service has seen since it was started. */
function Seen({ of, now }: { of: readonly SeenClient[]; now: string }) {
  return (
    <List title="Seen from">
      <DataTable
        caption="Addresses that clients were signed in from, newest first"
        columns={[
          { key: 'address', label: 'Address', look: 'code', cell: ({ address }) => address },
          { key: 'dn', label: 'Signed in as', look: 'code', cell: ({ dn }) => dn },
          { key: 'at', label: 'Last seen', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
        ]}
        rows={of}
        rowKey={({ address }) => address}
        empty={
          <Empty>
            Nobody was seen since the service was started. It looks every ten seconds: a connection that is shorter may
            be missed, and still shows at the account.
          </Empty>
        }
      />
    </List>
  );
}
