// One record: changing it, and deleting it.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findRecord, ownerWords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Note } from '../../components/block.tsx';
import { Button, ButtonLink, PostButton } from '../../components/button.tsx';
import { More } from '../../components/code.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, FormActions, TextField } from '../../components/form.tsx';
import { Instant } from '../../components/time.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import type { LastSave } from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import type { ShellState } from '../../layout/state.ts';
import {
  DNS,
  editedFrom,
  lastSaveOf,
  MAY_ONLY_READ,
  ON_APPLY,
  Refused,
  recordHref,
  type SavedField,
  StaleForm,
  typedInto,
  zoneHref,
} from './form-state.tsx';
import { RECORD_LABELS, RecordFields, ValueField } from './record-fields.tsx';

interface Data {
  record: DnsRecord;
  last: LastSave | null;
}

export const page = definePage({
  id: 'dnsRecordPage',
  path: `${DNS}/records/{record_id}`,
  current: DNS,
  access: { session: 'read:dns' },
  params: idParam('record_id', 'Id of the record.'),
  async load({ db, params, outcome }): Promise<Data> {
    const record = await findRecord(db, params.record_id);
    return { record, last: await lastSaveOf(db, outcome, { type: 'dns_record', id: record.id }) };
  },
  title: ({ record }) => `${record.fqdn} ${record.type}`,
  view: RecordPage,
});

function RecordPage({ data: { record, last }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('updateDnsRecordForm', outcome);
  const deleting = typedInto('deleteDnsRecordForm', outcome);
  const stale = { name: record.fqdn, revision: record.revision, last, now: state.now };
  const fields: SavedField[] = [
    [RECORD_LABELS.fqdn, 'fqdn', record.fqdn],
    [RECORD_LABELS.value, 'value', record.value],
    [RECORD_LABELS.description, 'description', record.description],
    [RECORD_LABELS.enabled, 'enabled', record.enabled],
  ];
  const writes = state.user.scopes.includes('write:dns');
  return (
    <>
      <PageHead
        title={
          <span class="mono">
            {record.fqdn} {record.type}
          </span>
        }
        trail={[
          { href: DNS, label: 'DNS' },
          { href: zoneHref(record.zone_id), label: <code>{record.zone}</code> },
        ]}
        here={
          <code>
            {record.fqdn} {record.type}
          </code>
        }
      />
      <Refused typed={typed} labels={RECORD_LABELS} />
      <Refused typed={deleting} labels={{}} />
      <StaleForm {...stale} typed={typed} saved={fields} />
      <StaleForm {...stale} typed={deleting} saved={[]} />
      <Facts
        facts={[
          { label: 'Zone', value: <a href={zoneHref(record.zone_id)}>{record.zone}</a> },
          { label: 'Type', value: <code>{record.type}</code> },
          { label: 'Kept by', value: record.owner ? ownerWords(record.owner) : 'operators' },
          { label: 'Changed', value: <Instant at={record.updated_at} now={state.now} /> },
        ]}
      />
      {record.owner && <Note>Name and value follow {ownerWords(record.owner)} and can’t be changed here.</Note>}
      <Form
        action={recordHref(record.id)}
        csrf={state.csrf}
        {...editedFrom(typed, record.revision, fields)}
        label={`Edit ${record.fqdn}`}
      >
        {!record.owner && (
          <>
            <TextField
              name="fqdn"
              label={RECORD_LABELS.fqdn}
              value={typed.text('fqdn', record.fqdn)}
              error={typed.of('fqdn')}
              mono
              wide
              required
              help="Fully qualified name in one of your zones."
            />
            <ValueField value={typed.text('value', record.value)} error={typed.of('value')} />
          </>
        )}
        <RecordFields saved={record} typed={typed} />
        <FormActions note={ON_APPLY}>
          <Button kind="primary" unavailable={writes ? undefined : MAY_ONLY_READ}>
            Save record
          </Button>
          <ButtonLink href={zoneHref(record.zone_id)}>Cancel</ButtonLink>
        </FormActions>
      </Form>
      {writes && <Delete record={record} state={state} />}
    </>
  );
}

function Delete({ record, state }: { record: DnsRecord; state: ShellState }) {
  return (
    <section class="danger" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete the record</h2>
      <More summary={`Delete ${record.fqdn} ${record.type}…`}>
        <div class="danger-body">
          <p>
            {record.owner
              ? `${ownerWords(record.owner)} keeps this record and may create it again.`
              : 'Aliases of the name stay, and are answered without an address.'}
          </p>
          <p>
            <PostButton
              kind="bad"
              action={`${recordHref(record.id)}/delete`}
              csrf={state.csrf}
              fields={{ revision: record.revision, zone_id: record.zone_id }}
            >
              Delete record
            </PostButton>
          </p>
        </div>
      </More>
    </section>
  );
}
