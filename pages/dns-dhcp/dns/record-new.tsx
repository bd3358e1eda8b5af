// Adding a record: a name in a zone, a type and a value.
import * as v from 'valibot';
import { zoneNames } from '../../../shared/services/dns-dhcp/dns/zone-lookups.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form, FormActions, SelectField, TextField } from '../../components/form.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { DNS, ON_APPLY, Refused, typedInto } from './form-state.tsx';
import { RECORD_LABELS, RecordFields, ValueField } from './record-fields.tsx';
import { TYPE_OPTIONS, ValueForms } from './record-words.tsx';

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');
const PATH = `${DNS}/records/new`;

interface Data {
  zones: string[];
  zone: string;
  type: string;
}

export const page = definePage({
  id: 'newDnsRecordPage',
  path: PATH,
  current: DNS,
  access: { session: 'write:dns' },
  query: v.object({ zone: text, type: text }),
  load: async ({ db, query }): Promise<Data> => ({ zones: await zoneNames(db), ...query }),
  title: () => 'Add a record',
  view: NewRecord,
});

function NewRecord({ data: { zones, zone, type }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('createDnsRecordForm', outcome);
  if (zones.length === 0) {
    return (
      <>
        <PageHead title="Add a record" trail={[{ href: DNS, label: 'DNS' }]} />
        <Empty action={<ButtonLink href={`${DNS}/zones/new`}>Add a zone</ButtonLink>}>
          There is no zone yet, and every record belongs to one.
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Add a record" trail={[{ href: DNS, label: 'DNS' }]} />
      <Refused typed={typed} labels={RECORD_LABELS} />
      <div class="split">
        <Form action={PATH} csrf={state.csrf} label="New record">
          <TextField
            name="fqdn"
            label={RECORD_LABELS.fqdn}
            value={typed.text('fqdn', '')}
            error={typed.of('fqdn')}
            mono
            wide
            required
            placeholder="vc01"
            help="In the zone below; @ is the zone itself. For PTR: an address, or its reverse name."
          />
          <SelectField
            name="zone"
            label="Zone"
            value={typed.text('zone', zone)}
            options={zones.map((name) => ({ value: name, label: name }))}
          />
          <SelectField
            name="type"
            label={RECORD_LABELS.type}
            value={typed.text('type', type || 'A')}
            options={TYPE_OPTIONS}
            error={typed.of('type')}
          />
          <ValueField value={typed.text('value', '')} error={typed.of('value')} />
          <RecordFields saved={{ description: '', enabled: true }} typed={typed} />
          <FormActions note={ON_APPLY}>
            <Button kind="primary">Add record</Button>
            <Button name="next" value="another">
              Add and continue
            </Button>
            <ButtonLink href={DNS}>Cancel</ButtonLink>
          </FormActions>
        </Form>
        <div class="stick">
          <ValueForms />
        </div>
      </div>
    </>
  );
}
