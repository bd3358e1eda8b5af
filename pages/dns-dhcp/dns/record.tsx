// One record: changing it, and deleting it.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findRecord, ownerWords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Note } from '../../components/block.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Name } from '../../components/code.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, FormActions, TextField } from '../../components/form.tsx';
import { Instant } from '../../components/time.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import type { LastSave } from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { RowWord } from '../../units/row-words.tsx';
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
          <>
            <Name>{record.fqdn}</Name> {record.type}
          </>
        }
        trail={[
          { href: DNS, label: 'DNS' },
          { href: zoneHref(record.zone_id), label: <code>{record.zone}</code> },
        ]}
        here={
          <>
            <Name>{record.fqdn}</Name> {record.type}
          </>
        }
      >
        {writes && <ButtonLink href={`${recordHref(record.id)}/delete`}>Delete record</ButtonLink>}
      </PageHead>
      <Refused typed={typed} labels={RECORD_LABELS} />
      <StaleForm {...stale} typed={typed} saved={fields} />
      <Facts
        facts={[
          { label: 'State', value: <RowWord standings={state.standings} of="record" row={record} /> },
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
    </>
  );
}
