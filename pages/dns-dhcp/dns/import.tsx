// Importing records: lines of a zone file or of a hosts file, or a file of many. It adds and never changes: a record is what its
// row says, or another one.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { FILE_BYTES, ROWS_MOST } from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { BULK_MAX, type Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { CodeBlock } from '../../components/code.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { importIntro } from '../../units/import-page.tsx';
import { ImportView } from '../../units/import-view.tsx';
import { DNS, zoneHref } from './form-state.tsx';

const FILE = {
  accept: '.csv,.json,.txt,.zone,.hosts,text/csv,application/json,text/plain',
  words: 'CSV, a JSON list, or lines of a zone file or a hosts file',
  most: FILE_BYTES,
};

export const page = definePage({
  id: 'importDnsRecordsPage',
  path: `${DNS}/zones/{zone_id}/import`,
  current: DNS,
  access: { session: 'write:dns' },
  params: idParam('zone_id', 'Id of the zone.'),
  load: async ({ db, params }) => findItem(db, dnsZones, params.zone_id),
  title: ({ name }) => `Import into ${name}`,
  view: ({ data: { id, name }, state, outcome }: ViewProps<Zone>) => (
    <ImportView
      form="importDnsRecordsForm"
      title="Import records"
      trail={[
        { href: DNS, label: 'DNS' },
        { href: zoneHref(id), label: <code>{name}</code> },
      ]}
      intro={`${importIntro(ROWS_MOST, 'records')} A job saves more than ${BULK_MAX.toLocaleString('en')}.`}
      nouns="records"
      action={`${zoneHref(id)}/import`}
      csrf={state.csrf}
      outcome={outcome}
      file={FILE}
      changes={false}
    >
      <Forms zone={name} />
    </ImportView>
  ),
});

function Forms({ zone }: { zone: string }) {
  return (
    <section class="stick samples" aria-labelledby="forms">
      <h2 id="forms">Rows that are read</h2>
      <p>Name, type and value, as in a zone file:</p>
      <CodeBlock label="Example of record lines">{`vc01         A      10.20.10.11
vc01         AAAA   fd00:20:10::11
vcenter      CNAME  vc01
_ldap._tcp   SRV    0 100 389 dc01.${zone}
@            TXT    managed by the lab team
10.20.10.11  PTR    vc01.${zone}`}</CodeBlock>
      <p>An address and its names, as in a hosts file:</p>
      <CodeBlock label="Example of hosts lines">{`10.20.10.21  esx01.${zone} esx01-mgmt
10.20.10.22  esx02`}</CodeBlock>
      <p class="muted">
        A name without a dot is completed with {zone}; any other is taken as it is. Times to live are passed over,
        because the settings have one for all. Empty lines and comments (#, ;) are passed over too.
      </p>
      <p>CSV whose first line names the columns, description and enabled where wanted:</p>
      <CodeBlock label="Example of CSV">{`fqdn,type,value,description,enabled
vc01.${zone},A,10.20.10.11,vCenter,true`}</CodeBlock>
      <p class="muted">
        Commas, semicolons or tabs stand between cells. Or a JSON list of records with these members. Names are full
        names, also in other zones. Records that are there stay as they are.
      </p>
    </section>
  );
}
