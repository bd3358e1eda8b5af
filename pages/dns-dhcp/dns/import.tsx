// Importing records: pasted lines, all of them or none, with what is wrong named by its line.

import type { FieldError } from '../../../shared/ground/problems.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { pastedRecords } from '../../../shared/services/dns-dhcp/dns/record-lines.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { BULK_MAX, type Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { Form, FormActions, HiddenField, TextArea } from '../../components/form.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { DNS, ON_APPLY, typedInto, zoneHref } from './form-state.tsx';

/** Faults that are listed; whoever has more sees the others next time. */
const LISTED = 50;

export const page = definePage({
  id: 'importDnsRecordsPage',
  path: `${DNS}/zones/{zone_id}/import`,
  current: DNS,
  access: { session: 'write:dns' },
  params: idParam('zone_id', 'Id of the zone.'),
  load: async ({ db, params }) => findItem(db, dnsZones, params.zone_id),
  title: ({ name }) => `Import into ${name}`,
  view: Import,
});

function Import({ data: zone, state, outcome }: ViewProps<Zone>) {
  const typed = typedInto('importDnsRecordsForm', outcome);
  const faults = typed.outcome ? lineFaults(typed.outcome, zone.name) : [];
  const href = zoneHref(zone.id);
  const problem = typed.outcome?.problem ?? null;
  return (
    <>
      <PageHead
        title="Import records"
        here="Import"
        trail={[
          { href: DNS, label: 'DNS' },
          { href, label: <code>{zone.name}</code> },
        ]}
        intro={`Up to ${BULK_MAX} records at once. Either all of them are saved or none.`}
      />
      {problem && faults.length === 0 && <Refusal problem={problem} title="Nothing was saved" />}
      <ErrorSummary errors={faults.slice(0, LISTED)} title={titleOf(faults.length)} />
      <div class="split">
        <Form action={`${href}/import`} csrf={state.csrf} look="stack" label={`Import into ${zone.name}`}>
          <HiddenField name="zone" value={zone.name} />
          <TextArea
            name="lines"
            label="Lines"
            value={typed.text('lines', '')}
            error={faults.length === 0 ? undefined : 'See the list above: it names each line.'}
            rows={20}
            mono
            required
          />
          <FormActions note={ON_APPLY}>
            <Button kind="primary">Import records</Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
        <Forms zone={zone.name} />
      </div>
    </>
  );
}

function Forms({ zone }: { zone: string }) {
  return (
    <section class="stick samples" aria-labelledby="forms">
      <h2 id="forms">Lines that are read</h2>
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
        A name without a dot is completed with {zone}; any other stands as it is. Times to live are passed over, because
        the settings have one for all. Empty lines and comments (#, ;) are passed over too.
      </p>
    </section>
  );
}

/** The faults of the records, each said with the line it stands on. */
function lineFaults(outcome: FormOutcome, zone: string): FieldError[] {
  const text = outcome.values.get('lines') ?? '';
  const { lines } = pastedRecords(text, zone);
  const source = text.split(/\r?\n/);
  const errors = (outcome.problem?.errors as FieldError[] | undefined) ?? [];
  return errors.map(({ pointer, detail }) => {
    const line = lines[Number(/^\/records\/(\d+)/.exec(pointer)?.[1] ?? -1)];
    if (line === undefined) return { pointer: '/lines', detail };
    const words = (source[line - 1] ?? '').trim().slice(0, 60);
    return { pointer: '/lines', detail: `Line ${line}, “${words}”: ${detail}` };
  });
}

function titleOf(count: number): string {
  const faults = count === 1 ? '1 fault' : `${count} faults`;
  return `Nothing was saved: ${faults}${count > LISTED ? `; the first ${LISTED}:` : ''}`;
}
