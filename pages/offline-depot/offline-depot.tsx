// The offline depot: what of it is in force, what is missing before other appliances can use it, who may read it, and what
// lies in it.

import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { DEPOT_STORE } from '../../shared/services/offline-depot/manifest.ts';
import {
  type DepotStanding,
  depotStanding,
  placeOf,
} from '../../shared/services/offline-depot/serving/availability.ts';
import { type DepotUser, listDepotUsers } from '../../shared/services/offline-depot/users.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Empty } from '../components/empty.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { ExactInstant, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { mayOpen } from '../layout/may-open.ts';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { List } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { ServiceState } from '../units/service-state.tsx';
import { DEPOT, userHref } from './depot-words.tsx';
import { DepotUploads, type DepotUploadsData, loadDepotUploads } from './uploads.tsx';

interface InForce {
  url: string;
  /** Whom it lets in; null: nobody. */
  http_user: string | null;
  open: boolean;
  /** False in a rehearsal that was given no listener: the manifest is kept, and nobody follows it. */
  followed: boolean;
}

interface Data extends Omit<DepotStanding, 'manifest'> {
  readiness: Readiness;
  /** Null while nothing of it is applied. */
  inForce: InForce | null;
  users: DepotUser[];
  uploads: DepotUploadsData;
}

export const page = definePage({
  id: 'offlineDepotPage',
  path: DEPOT.href,
  access: { session: 'read:depot' },
  async load({ db, services, request, standings }): Promise<Data> {
    const { manifest, ...standing } = await depotStanding(services);
    const place = placeOf(manifest, services.settings.depot_listen);
    return {
      ...standing,
      readiness: await readinessOf(services, 'private-cloud-services', standings),
      inForce: manifest &&
        place && {
          url: place.url,
          http_user: manifest.http_user,
          open: manifest.allow_unauthenticated_access,
          followed: services.host.enforces || Boolean(services.settings.depot_listen),
        },
      users: await listDepotUsers(db, { limit: PAGE_DEFAULT }),
      uploads: await loadDepotUploads({ db, services, request }),
    };
  },
  title: () => 'Offline depot',
  view: Depot,
});

function Depot({ data, state, outcome }: ViewProps<Data>) {
  const { readiness, availability, users, uploads } = data;
  const { missing } = availability;
  return (
    <>
      <PageHead title="Offline depot" intro="Serves VMware Cloud Foundation software without internet access.">
        <ButtonLink href={`${DEPOT.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <Refused typed={typedInto(outcome?.operation_id ?? '', outcome)} labels={{}} />
      <OffNotice of={readiness} filled={users.length > 0} state={state} />
      <FactsList facts={factsOf(data, state)} />
      <ReadinessList of={readiness} state={state} />
      {missing.length === 0 && mayOpen(state.user, pagePath('configure-depot')) && (
        <section class="below" aria-labelledby="others">
          <h2 id="others">For other appliances</h2>
          <p>Appliances can be configured to take their software from here.</p>
          <p>
            <ButtonLink href={pagePath('configure-depot')}>Configure an appliance</ButtonLink>
          </p>
        </section>
      )}
      <Users users={users} state={state} />
      <DepotUploads data={uploads} state={state} />
    </>
  );
}

function served(inForce: InForce | null) {
  if (inForce === null) return <State kind="off">Nothing is served</State>;
  if (!inForce.followed) return <State kind="off">Kept in this rehearsal, served to nobody</State>;
  return <State kind="ok">It answers over HTTPS</State>;
}

function factsOf({ readiness, inForce, identity, certificate }: Data, state: ShellState): Fact[] {
  const writes = state.user.scopes.includes('write:depot');
  return [
    {
      label: 'State',
      value: <ServiceState standings={state.standings} unit="private-cloud-services" enabled={readiness.on} />,
    },
    { label: 'Served', value: served(inForce) },
    ...(inForce
      ? [
          { label: 'URL', value: <Copyable id="depot-url" text={inForce.url} /> },
          { label: 'Access', value: <LetsIn {...inForce} /> },
        ]
      : []),
    {
      label: 'Software depot ID',
      value: (
        <>
          {identity ? (
            <Copyable id="software-depot-id" text={identity.software_depot_id} />
          ) : (
            <span class="muted">none yet</span>
          )}
          {writes && (
            <p>
              <ButtonLink kind="row" href={`${DEPOT.href}/software-depot-id`}>
                {identity ? 'Generate another one…' : 'Generate it'}
              </ButtonLink>
            </p>
          )}
        </>
      ),
    },
    {
      label: 'Certificate',
      value: certificate ? (
        <>
          <Copyable id="depot-sha256" text={certificate.sha256} />
          <p class="muted">
            valid until <ExactInstant at={certificate.not_after} />; renewed in the last third of its life, by a plan of
            its own
          </p>
        </>
      ) : (
        <span class="muted">none yet: it is made with the next plan</span>
      ),
    },
    { label: 'Served from', value: <code>{DEPOT_STORE}</code> },
  ];
}

function LetsIn({ http_user, open }: InForce) {
  if (open) return <State kind="warn">Everybody, without a login</State>;
  if (http_user === null) return <State kind="warn">Nobody: no depot user is chosen</State>;
  return (
    <>
      User <code>{http_user}</code>; some files without login
    </>
  );
}

function Users({ users, state }: { users: readonly DepotUser[]; state: ShellState }) {
  const writes = state.user.scopes.includes('write:depot');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${DEPOT.href}/users/new`}>
      Add depot user
    </ButtonLink>
  );
  return (
    <List title="Depot users" action={users.length > 0 && add}>
      <p class="muted">They open the depot and nothing else: neither these pages nor the API.</p>
      <DataTable
        caption="Depot users by name"
        columns={[
          { key: 'name', label: 'Name', look: 'code', cell: ({ name }) => name },
          {
            key: 'selected',
            label: 'Settings',
            look: 'nowrap',
            cell: ({ selected }) => (selected ? 'Chosen' : <span class="muted">Not chosen</span>),
          },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (user) => <RowWord standings={state.standings} of="depotUser" row={{ ...user, enabled: true }} />,
          },
          {
            key: 'set',
            label: 'Password set',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        rows={users}
        rowKey={({ id }) => id}
        {...(writes && {
          actions: ({ id, name }: DepotUser) => (
            <ButtonLink kind="row" href={userHref(id)} label={`Edit ${name}`}>
              Edit
            </ButtonLink>
          ),
        })}
        empty={<Empty action={add}>There is no depot user yet. One is what appliances log in with.</Empty>}
      />
    </List>
  );
}
