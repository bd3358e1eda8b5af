// Asks before a zone is deleted with what it holds.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { countRecords, dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Name } from '../../components/code.tsx';
import { FactsList } from '../../components/facts.tsx';
import { Form, FormActions } from '../../components/form.tsx';
import { definePage } from '../../layout/define-page.tsx';
import type { LastSave } from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { RowWord } from '../../units/row-words.tsx';
import { DNS, lastSaveOf, Refused, StaleForm, typedInto, zoneHref } from './form-state.tsx';

interface Data {
  zone: Zone;
  total: number;
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteDnsZonePage',
  path: `${DNS}/zones/{zone_id}/delete`,
  current: DNS,
  access: { session: 'write:dns' },
  params: idParam('zone_id', 'Id of the zone.'),
  async load({ db, params: { zone_id }, outcome }): Promise<Data> {
    const zone = await findItem(db, dnsZones, zone_id);
    const counts = await countRecords(db, [zone_id]);
    const last = await lastSaveOf(db, outcome, { type: 'dns_zone', id: zone_id });
    return { zone, total: counts.get(zone_id) ?? 0, last };
  },
  title: ({ zone }) => `Delete ${zone.name}`,
  view({ data: { zone, total, last }, state, outcome }) {
    const { id, name, revision } = zone;
    const typed = typedInto('deleteDnsZoneForm', outcome);
    const records = total === 1 ? '1 record' : `${total} records`;
    return (
      <>
        <PageHead
          trail={[
            { href: DNS, label: 'DNS' },
            { href: zoneHref(id), label: <Name>{name}</Name> },
          ]}
          here="Delete"
          title={
            <>
              Delete <Name>{name}</Name>?
            </>
          }
        />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <p>{total === 0 ? 'It has no records.' : `${records} of it go too, whoever keeps them.`}</p>
        <FactsList facts={[{ label: 'State', value: <RowWord standings={state.standings} of="zone" row={zone} /> }]} />
        <Form
          action={`${zoneHref(id)}/delete${total === 0 ? '' : '?with_records=true'}`}
          csrf={state.csrf}
          revision={revision}
          label={`Delete ${name}`}
        >
          <FormActions>
            <Button kind="bad">{total === 0 ? 'Delete zone' : `Delete zone and ${records}`}</Button>
            <ButtonLink href={zoneHref(id)}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
