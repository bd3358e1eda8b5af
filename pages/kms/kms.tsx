// Key management: where the KMIP server answers, whose keys it holds, whether they are in a copy, and how vCenter is told.
import {
  type KeyProtection,
  type KeyWarnings,
  keyProtection,
  keyWarnings,
} from '../../shared/appliance/overview/key-protection.ts';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { InForce } from '../../shared/platform/certificate-authority/daemon-certificate.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type AppliedKms, readManifest, shownByServer } from '../../shared/services/kms/manifest.ts';
import { type Provider, providers } from '../../shared/services/kms/trust/providers.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { ExactInstant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { Codes, List } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { ServiceState } from '../units/service-state.tsx';
import { KeyNotes, KMS } from './kms-words.tsx';
import { VcenterSteps } from './vcenter-steps.tsx';

/** Providers that are shown. */
const MOST = 200;

interface Data {
  readiness: Readiness;
  protection: KeyProtection;
  warnings: KeyWarnings | null;
  certificate: InForce | null;
  providers: Provider[];
  applied: AppliedKms | null;
  /** A rehearsal keeps the manifest, and nobody follows it. */
  followed: boolean;
}

export const page = definePage({
  id: 'kmsPage',
  path: KMS.href,
  access: { session: 'read:kms' },
  async load({ db, services, standings, now }): Promise<Data> {
    return {
      readiness: await readinessOf(services, 'kms', standings),
      protection: await keyProtection(db),
      warnings: await keyWarnings(db, now),
      certificate: await shownByServer(services.host, db).catch(() => null),
      providers: (await listItems(db, providers, { limit: MOST })).items,
      applied: await readManifest(services.host).catch(() => null),
      followed: services.host.enforces,
    };
  },
  title: () => 'Key management',
  view: Kms,
});

const placesOf = ({ manifest }: AppliedKms): string[] =>
  manifest.listeners.map(({ address, port }) => `${address.includes(':') ? `[${address}]` : address}:${port}`);

function Kms({ data, state }: ViewProps<Data>) {
  const { readiness, protection, warnings, applied, followed, certificate } = data;
  const places = applied ? placesOf(applied) : [];
  return (
    <>
      <PageHead
        title="Key management"
        intro="A KMIP server: the standard key provider of a vCenter, to encrypt virtual machines and vSAN."
      >
        {state.user.scopes.includes('write:kms') && (
          <ButtonLink href={pagePath('register-key-provider')}>Register at vCenter</ButtonLink>
        )}
        <ButtonLink href={pagePath('kms-keys')}>Keys</ButtonLink>
        <ButtonLink href={`${KMS.href}/requests`}>Last requests</ButtonLink>
        <ButtonLink href={pagePath('kms-settings')}>Settings</ButtonLink>
      </PageHead>
      {warnings && <KeyNotes of={warnings} now={state.now} />}
      <OffNotice of={readiness} filled={data.providers.length > 0} state={state} />
      <FactsList
        facts={[
          { label: 'State', value: <ServiceState standings={state.standings} unit="kms" enabled={readiness.on} /> },
          { label: 'Served', value: <Served places={places} followed={followed} /> },
          { label: 'Keys', value: <KeysHeld of={protection} /> },
          ...(certificate ? [{ label: 'Certificate', value: <Shown of={certificate} /> }] : []),
        ]}
      />
      <ReadinessList of={readiness} state={state} />
      <Providers providers={data.providers} state={state} />
      <VcenterSteps places={places} hostname={applied?.manifest.hostname ?? ''} />
    </>
  );
}

function Served({ places, followed }: { places: readonly string[]; followed: boolean }) {
  if (places.length === 0) return <State kind="off">Nothing is served</State>;
  if (!followed) return <State kind="off">Kept in this rehearsal, served to nobody</State>;
  return <Codes items={places} />;
}

/** What vCenter compares when it trusts. */
function Shown({ of: { sha256, not_after } }: { of: InForce }) {
  return (
    <>
      <code class="wrap">{sha256}</code>, until <ExactInstant at={not_after} />
    </>
  );
}

function KeysHeld({ of: { keys, unprotected } }: { of: KeyProtection }) {
  if (keys === 0) return <span class="muted">none</span>;
  return (
    <>
      <a href={pagePath('kms-keys')}>{keys}</a>
      {copiesWord(keys, unprotected)}
    </>
  );
}

function copiesWord(keys: number, unprotected: number): string {
  if (unprotected === 0) return ', all in a verified copy';
  return unprotected === keys ? ', in no verified copy' : `, ${unprotected} of them in no verified copy`;
}

function Providers({ providers: all, state }: { providers: readonly Provider[]; state: ShellState }) {
  const add = state.user.scopes.includes('write:kms') && (
    <ButtonLink kind="primary" icon="plus" href={`${pagePath('kms-providers')}/new`}>
      Add provider
    </ButtonLink>
  );
  return (
    <List title="Providers" action={all.length > 0 && add}>
      <p class="muted">A provider owns keys. Its trusted vCenters share them; other providers do not see them.</p>
      <DataTable
        caption="Key providers by name"
        columns={[
          {
            key: 'name',
            label: 'Provider',
            look: 'code',
            cell: ({ id, name }) => <a href={pagePath('kms-provider', id)}>{name}</a>,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
          { key: 'clients', label: 'Clients', look: 'number', cell: ({ client_count }) => client_count },
          { key: 'keys', label: 'Keys', look: 'number', cell: ({ key_count }) => key_count },
        ]}
        rows={all}
        rowKey={({ id }) => id}
        empty={<Empty action={add}>There is no provider yet. One owns the keys of a vCenter.</Empty>}
      />
    </List>
  );
}
