// Provisioning of a client: where its people are pushed to, the certificate of that server, and what was sent and refused.

import * as v from 'valibot';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { PAGE_QUERY } from '../../shared/ground/schemas/component.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Client, clients } from '../../shared/services/oidc/clients/clients.ts';
import {
  countObjects,
  listObjects,
  type ObjectOutcome,
  type SentObject,
} from '../../shared/services/oidc/scim/objects.ts';
import { OBJECT_OUTCOMES, targetParam } from '../../shared/services/oidc/scim/schemas.ts';
import { type ScimTarget, targetOfClient } from '../../shared/services/oidc/scim/targets.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Form } from '../components/form.tsx';
import { Pagination } from '../components/pagination.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { List } from '../units/listing.tsx';
import { CLIENTS, OIDC } from './oidc-words.tsx';
import { savedTarget, TargetCertificate, TargetForm } from './scim-target.tsx';
import { LastPush, OUTCOMES, SCIM_LABELS } from './scim-words.tsx';

/** Objects of a page. */
const SHOWN = 50;
const VCENTER = 'https://vc01.lab.example/usergroup/t/CUSTOMER/scim/v2';
const BUTTONS = [
  'lookAtOidcScimCertificateForm',
  'confirmOidcScimCertificateForm',
  'pushOidcScimForm',
  'deleteOidcScimTargetForm',
];

interface Data {
  client: Client;
  target: ScimTarget | undefined;
  objects: Page<SentObject>;
  counts: Partial<Record<ObjectOutcome, number>>;
  outcome: ObjectOutcome | undefined;
  last: LastSave | null;
}

export const page = definePage({
  id: 'oidcScimPage',
  path: pageRoute('oidc-scim'),
  current: OIDC.href,
  access: { session: 'read:oidc' },
  params: targetParam,
  query: v.object({ outcome: v.optional(v.string()), cursor: PAGE_QUERY.cursor }),
  async load({ db, params, query, outcome: posted }): Promise<Data> {
    const client = await findItem(db, clients, params.oidc_client_id);
    const target = await targetOfClient(db, client.id);
    const outcome = OBJECT_OUTCOMES.find((known) => known === query.outcome);
    const none = { items: [], next_cursor: null };
    return {
      ...{ client, target, outcome },
      objects: target ? await listObjects(db, target.id, { outcome, limit: SHOWN, cursor: query.cursor }) : none,
      counts: target ? await countObjects(db, target.id) : {},
      last: await lastSaveOf(db, posted, { type: 'oidc_client', id: client.id }),
    };
  },
  title: ({ client }) => `Provisioning of ${client.name}`,
  view: ScimView,
});

function ScimView({ data, state, outcome }: ViewProps<Data>) {
  const { client, target, last } = data;
  const may = state.user.scopes.includes('write:oidc');
  const href = pagePath('oidc-scim', client.id);
  const typed = typedInto('putOidcScimTargetForm', outcome);
  return (
    <>
      <PageHead
        title={`Provisioning of ${client.name}`}
        trail={[OIDC, CLIENTS, { href: pagePath('oidc-client', client.id), label: client.name }]}
        here="Provisioning"
        intro="Users and groups are pushed by SCIM, so that the product knows them before they sign in."
      />
      {BUTTONS.map((form) => (
        <Refused key={form} typed={typedInto(form, outcome)} labels={{}} />
      ))}
      <Refused typed={typed} labels={SCIM_LABELS} />
      <StaleForm
        typed={typed}
        name="the SCIM target"
        revision={target?.revision ?? 0}
        last={last}
        saved={savedTarget(target)}
        now={state.now}
      />
      {target && <Standing client={client} target={target} now={state.now} />}
      {target && may && target.sha256 !== null && <PushNow href={href} csrf={state.csrf} />}
      {target && <TargetCertificate href={href} csrf={state.csrf} target={target} may={may} outcome={outcome} />}
      {may && <TargetForm href={href} csrf={state.csrf} typed={typed} target={target} example={VCENTER} />}
      {!may && !target && <p>Nothing is pushed: there is no target.</p>}
      {target && <Objects data={data} href={href} now={state.now} query={state.query} />}
      {target && may && <StopPushing href={href} csrf={state.csrf} revision={target.revision} />}
    </>
  );
}

function Standing({ client, target, now }: { client: Pick<Client, 'enabled'>; target: ScimTarget; now: string }) {
  const ready = target.sha256 !== null;
  return (
    <FactsList
      facts={[
        {
          label: 'State',
          value: !ready ? (
            <State kind="warn">Its certificate is to be confirmed</State>
          ) : !client.enabled ? (
            <State kind="off">Waits: the client is disabled</State>
          ) : target.enabled ? (
            <State kind="ok">Pushes by itself</State>
          ) : (
            <State kind="off">Pushes on request alone</State>
          ),
        },
        { label: 'Base URL', value: <code class="wrap">{target.base_url}</code> },
        { label: 'Token', value: 'Stored, never shown' },
        { label: 'Last push', value: <LastPush of={target} now={now} /> },
        ...(target.next_at !== null && target.enabled
          ? [
              {
                label: 'Again',
                value: (
                  <>
                    <Instant at={target.next_at} now={now} /> at the earliest
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

const PushNow = ({ href, csrf }: { href: string; csrf: string }) => (
  <Form action={`${href}/push`} csrf={csrf} look="stack" label="Push now">
    <div class="actions">
      <Button kind="primary">Push now</Button>
      <p class="muted">Sends what differs. What was not made from here is left alone.</p>
    </div>
  </Form>
);

function Objects({ data, href, now, query }: { data: Data; href: string; now: string; query: string }) {
  const { objects, counts, outcome } = data;
  const place = { path: href, query };
  const there = OBJECT_OUTCOMES.filter((known) => (counts[known] ?? 0) > 0);
  const all = there.reduce((sum, known) => sum + counts[known]!, 0);
  return (
    <List title="What was sent">
      {there.length > 0 && (
        <FilterBar
          place={place}
          segments={{
            name: 'outcome',
            label: 'Outcome',
            value: outcome ?? '',
            options: [
              { value: '', label: 'All', count: all },
              ...there.map((value) => ({ value, label: OUTCOMES[value][1], count: counts[value]! })),
            ],
          }}
        />
      )}
      <DataTable
        caption="Users and groups of ours at the target"
        columns={[
          { key: 'name', label: 'Name', cell: ({ name }) => <code class="wrap">{name}</code> },
          { key: 'kind', label: 'Kind', look: 'nowrap', cell: ({ kind }) => (kind === 'user' ? 'User' : 'Group') },
          {
            key: 'outcome',
            label: 'Last push',
            cell: ({ outcome: came, reason }) => (
              <>
                <State kind={OUTCOMES[came][0]}>{OUTCOMES[came][1]}</State>
                {reason !== '' && <span class="line">{reason}</span>}
              </>
            ),
          },
          { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
        ]}
        rows={objects.items}
        rowKey={({ kind, external_id }) => `${kind} ${external_id}`}
        empty={
          all > 0 ? (
            <Empty action={<ButtonLink href={href}>Show all</ButtonLink>}>None has this outcome.</Empty>
          ) : (
            'Nothing was sent yet.'
          )
        }
      />
      <Pagination place={place} nextCursor={objects.next_cursor} />
    </List>
  );
}

const StopPushing = ({ href, csrf, revision }: { href: string; csrf: string; revision: number }) => (
  <List title="Delete the target">
    <Form action={`${href}/delete`} csrf={csrf} revision={revision} look="stack" label="Delete the target">
      <div class="actions">
        <Button kind="bad">Delete target</Button>
        <p class="muted">Its token is gone. Users and groups that are there stay as they are.</p>
      </div>
    </Form>
  </List>
);
