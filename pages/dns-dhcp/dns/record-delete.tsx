// Asks before a record is deleted.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findRecord, ownerWords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Name } from '../../components/code.tsx';
import { FactsList } from '../../components/facts.tsx';
import { Form, FormActions } from '../../components/form.tsx';
import { definePage } from '../../layout/define-page.tsx';
import type { LastSave } from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { RowWord } from '../../units/row-words.tsx';
import { DNS, lastSaveOf, Refused, recordHref, StaleForm, typedInto, zoneHref } from './form-state.tsx';

interface Data {
  record: DnsRecord;
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteDnsRecordPage',
  path: `${DNS}/records/{record_id}/delete`,
  current: DNS,
  access: { session: 'write:dns' },
  params: idParam('record_id', 'Id of the record.'),
  async load({ db, params, outcome }): Promise<Data> {
    const record = await findRecord(db, params.record_id);
    return { record, last: await lastSaveOf(db, outcome, { type: 'dns_record', id: record.id }) };
  },
  title: ({ record }) => `Delete ${record.fqdn} ${record.type}`,
  view({ data: { record, last }, state, outcome }) {
    const { id, fqdn, type, value, zone, zone_id, owner, revision } = record;
    const typed = typedInto('deleteDnsRecordForm', outcome);
    return (
      <>
        <PageHead
          trail={[
            { href: DNS, label: 'DNS' },
            { href: zoneHref(zone_id), label: <code>{zone}</code> },
            { href: recordHref(id), label: <Name>{fqdn}</Name> },
          ]}
          here="Delete"
          title={
            <>
              Delete <Name>{fqdn}</Name> {type}?
            </>
          }
        />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={fqdn} revision={revision} last={last} saved={[]} now={state.now} />
        <p>
          {owner
            ? `${ownerWords(owner)} keeps this record and may create it again.`
            : 'Aliases of the name stay, and are answered without an address.'}
        </p>
        <FactsList
          facts={[
            { label: 'State', value: <RowWord standings={state.standings} of="record" row={record} /> },
            { label: 'Value', value: <code>{value}</code> },
          ]}
        />
        <Form
          action={`${recordHref(id)}/delete`}
          csrf={state.csrf}
          revision={revision}
          label={`Delete ${fqdn} ${type}`}
        >
          <input type="hidden" name="zone_id" value={zone_id} />
          <FormActions>
            <Button kind="bad">Delete record</Button>
            <ButtonLink href={recordHref(id)}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
