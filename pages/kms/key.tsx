// One key, without its material.
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { findKey, type KeyView } from '../../shared/services/kms/keys/administration.ts';
import { keyParam } from '../../shared/services/kms/schemas.ts';
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

export const page = definePage({
  id: 'kmsKeyPage',
  path: pageRoute('kms-key'),
  current: KMS.href,
  access: { session: 'read:kms' },
  params: keyParam,
  load: ({ db, params, now }) => findKey(db, params.key_id, instant(now)),
  title: ({ id }) => id,
  view: KeyPage,
});

function KeyPage({ data: key, state, outcome }: ViewProps<KeyView>) {
  const brings = key.state === 'destroyed' && state.user.scopes.includes('write:kms');
  return (
    <>
      <PageHead
        title={<span class="mono">{key.id}</span>}
        trail={[KMS, { href: pagePath('kms-keys'), label: 'Keys' }]}
      />
      <Refused typed={typedInto('bringBackKmsKeyForm', outcome)} labels={{}} />
      <FactsList facts={factsOf(key, state.now)} />
      {brings && (
        <Form action={`${pagePath('kms-key', key.id)}/bring-back`} csrf={state.csrf} label="Bring the key back">
          <FormActions note="It is again as it was before the client destroyed it.">
            <Button kind="primary">Bring the key back</Button>
          </FormActions>
        </Form>
      )}
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

function factsOf(key: KeyView, now: string): Fact[] {
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
    { label: 'Provider', value: <a href={pagePath('kms-provider', key.provider_id)}>{key.provider_id}</a> },
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
