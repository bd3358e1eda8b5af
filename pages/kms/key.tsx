// One key, without its material.
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { findKey, type KeyView } from '../../shared/services/kms/keys/administration.ts';
import { findReceivers, type Receiver } from '../../shared/services/kms/keys/receivers.ts';
import { keyParam } from '../../shared/services/kms/schemas.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { List } from '../units/listing.tsx';
import { LastGet } from './keys-table.tsx';
import { KeyState, KMS } from './kms-words.tsx';

interface Data {
  key: KeyView;
  /** Name of its provider. */
  provider: string;
  receivers: Receiver[];
}

export const page = definePage({
  id: 'kmsKeyPage',
  path: pageRoute('kms-key'),
  current: KMS.href,
  access: { session: 'read:kms' },
  params: keyParam,
  async load({ db, params: { key_id }, now }): Promise<Data> {
    const key = await findKey(db, key_id, instant(now));
    const { name } = await findItem(db, providers, key.provider_id);
    return { key, provider: name, receivers: await findReceivers(db, key_id) };
  },
  title: ({ key }) => key.id,
  view: KeyPage,
});

function KeyPage({ data: { key, provider, receivers }, state, outcome }: ViewProps<Data>) {
  const brings = key.state === 'destroyed' && state.user.scopes.includes('write:kms');
  const typed = typedInto('bringBackKmsKeyForm', outcome);
  return (
    <>
      <PageHead
        title={<span class="mono">{key.id}</span>}
        trail={[KMS, { href: pagePath('kms-keys'), label: 'Keys' }]}
      />
      <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
      <FactsList facts={factsOf(key, provider, state.now)} />
      {brings && (
        <Form action={`${pagePath('kms-key', key.id)}/bring-back`} csrf={state.csrf} label="Bring the key back">
          <OwnPasswordField error={typed.of('own_password')} />
          <FormActions note="The key becomes as it was before the client destroyed it.">
            <Button kind="primary">Bring the key back</Button>
          </FormActions>
        </Form>
      )}
      <Receivers of={receivers} now={state.now} />
      <List title="Attributes">
        <DataTable
          caption="What clients set"
          columns={[
            { key: 'name', label: 'Attribute', look: 'code', cell: ({ name }) => name },
            { key: 'value', label: 'Value', cell: ({ value }) => value },
          ]}
          rows={key.attributes}
          rowKey={({ name, index }) => `${name} ${index}`}
          empty={<Empty>Clients set none.</Empty>}
        />
      </List>
    </>
  );
}

function factsOf(key: KeyView, provider: string, now: string): Fact[] {
  const times: [string, string | null][] = [
    ['Activated', key.activated_at],
    ['Deactivated', key.deactivated_at],
    ['Compromised', key.compromised_at],
    ['Destroyed', key.destroyed_at],
    ['Kept until', key.state === 'destroyed' ? key.erased_after : null],
  ];
  return [
    { label: 'State', value: <KeyState of={key.state} /> },
    { label: 'Kind', value: `AES, ${key.length_bits} bits` },
    { label: 'Provider', value: <a href={pagePath('kms-provider', key.provider_id)}>{provider}</a> },
    {
      label: key.origin === 'created' ? 'Created' : 'Registered',
      value: (
        <>
          <Instant at={key.created_at} now={now} /> <span class="muted">for {key.created_by}</span>
        </>
      ),
    },
    ...times.flatMap(([label, at]) => (at === null ? [] : [{ label, value: <Instant at={at} now={now} /> }])),
    { label: 'Last given', value: <LastGet of={key} now={now} /> },
  ];
}

function Receivers({ of, now }: { of: readonly Receiver[]; now: string }) {
  const when = (at: string, from: string) => (
    <>
      <Instant at={at} now={now} /> <code>{from}</code>
    </>
  );
  return (
    <List title="Given to">
      <DataTable
        caption="Client certificates that got the key, the last one first"
        columns={[
          { key: 'client', label: 'Client', cell: ({ client }) => client },
          { key: 'first', label: 'First', look: 'nowrap', cell: (each) => when(each.first_at, each.first_from) },
          { key: 'last', label: 'Last', look: 'nowrap', cell: (each) => when(each.last_at, each.last_from) },
          { key: 'times', label: 'Times', look: 'number', cell: ({ times }) => times },
          { key: 'sha256', label: 'SHA-256', look: 'code', cell: ({ sha256 }) => `${sha256.slice(0, 23)}…` },
        ]}
        rows={of}
        rowKey={({ sha256 }) => sha256}
        empty={<Empty>Nobody got it yet.</Empty>}
      />
    </List>
  );
}
