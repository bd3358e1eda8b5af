// How records are written, per type, and how the pages show them.
import { RECORD_TYPES, type RecordType } from '../../../shared/services/dns-dhcp/dns/record-data.ts';
import { DataTable } from '../../components/table.tsx';

/** Meaning of a type and an example of its value. */
const FORMS: Record<RecordType, { means: string; example: string }> = {
  A: { means: 'IPv4 address', example: '10.20.10.11' },
  AAAA: { means: 'IPv6 address', example: 'fd00:20:10::11' },
  CNAME: { means: 'Name in a managed zone', example: 'vc01.lab.example' },
  TXT: { means: 'The text itself, without quotes', example: 'v=spf1 -all' },
  SRV: { means: 'priority weight port target', example: '0 100 389 dc01.lab.example' },
  MX: { means: 'preference exchange', example: '10 mail.lab.example' },
  CAA: { means: 'flags tag "value"', example: '0 issue "ca.lab.example"' },
  PTR: { means: 'Name of an address; the record is named after the address', example: 'vc01.lab.example' },
};

export const TYPE_OPTIONS = RECORD_TYPES.map((type) => ({ value: type, label: `${type}: ${FORMS[type].means}` }));
export const TYPE_CHOICES = RECORD_TYPES.map((type) => ({ value: type, label: type }));

/** What goes into the value of each type. */
export function ValueForms() {
  return (
    <section class="impact" aria-labelledby="forms">
      <h2 id="forms">What goes into the value</h2>
      <DataTable
        caption="What goes into the value of each type"
        dense
        columns={[
          { key: 'type', label: 'Type', look: 'code', cell: (type) => type },
          { key: 'means', label: 'Value', cell: (type) => FORMS[type].means },
          { key: 'example', label: 'Example', look: 'code', cell: (type) => FORMS[type].example },
        ]}
        rows={RECORD_TYPES}
        rowKey={(type) => type}
        empty=""
      />
    </section>
  );
}

const LONGEST = 48;

/** A value on one line of a table; a long text is cut, its page shows all of it. */
export function Value({ of }: { of: string }) {
  return <code>{of.length > LONGEST ? `${of.slice(0, LONGEST - 1)}…` : of}</code>;
}
