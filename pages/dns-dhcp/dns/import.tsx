// Importing records: pasted lines, all of them or none. A preview is a dry run; it and a refusal show each line with what
// becomes of it, and faults lead there.

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
import { State } from '../../components/state-word.tsx';
import { DataTable } from '../../components/table.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { DNS, ON_APPLY, typedInto, zoneHref } from './form-state.tsx';
import { ImportFile } from './import-file.tsx';

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
  const rows = typed.outcome ? rowsOf(typed.outcome, zone.name) : [];
  const faults = typed.outcome ? lineFaults(typed.outcome, rows) : [];
  const previewed = typed.outcome?.dry_run === true && rows.length > 0;
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
      {(previewed || faults.length > 0) && <Lines rows={rows} />}
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
            <Button name="dry_run" value="true">
              Preview
            </Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
        <Forms zone={zone.name} />
      </div>
      <ImportFile zone={zone} state={state} outcome={outcome} />
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
        A name without a dot is completed with {zone}; any other is taken as it is. Times to live are passed over,
        because the settings have one for all. Empty lines and comments (#, ;) are passed over too.
      </p>
    </section>
  );
}

interface Row {
  line: number;
  record: { fqdn: string; type: string; value: string };
  /** Why it is refused; empty: it would be added. */
  faults: string[];
  /** The first of its line: faults lead to it. */
  first: boolean;
}

/** What becomes of each record. The import adds and never changes. */
function Lines({ rows }: { rows: readonly Row[] }) {
  const refused = rows.filter(({ faults }) => faults.length > 0).length;
  return (
    <section class="fig" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p role="status">
        {rows.length - refused} added, 0 changed, {refused} refused. Nothing is saved yet
        {refused > 0 && ': all records are saved, or none'}.
      </p>
      <DataTable
        caption="The records by line"
        columns={[
          {
            key: 'line',
            label: 'Line',
            look: 'number',
            cell: ({ line, first }) => <span {...(first && { id: `line-${line}` })}>{line}</span>,
          },
          { key: 'name', label: 'Name', look: 'code', cell: ({ record }) => record.fqdn },
          { key: 'type', label: 'Type', look: 'code', cell: ({ record }) => record.type },
          { key: 'value', label: 'Value', look: 'code', cell: ({ record }) => record.value },
          {
            key: 'fate',
            label: 'Import',
            cell: ({ faults }) =>
              faults.length === 0 ? (
                <State kind="ok">Added</State>
              ) : (
                <>
                  <State kind="bad">Refused</State> {faults.join(' ')}
                </>
              ),
          },
        ]}
        rows={rows}
        rowKey={({ line, record }) => `${line} ${record.fqdn} ${record.type} ${record.value}`}
        empty=""
      />
    </section>
  );
}

const AT_RECORD = /^\/records\/(\d+)/;

const faultsIn = ({ problem }: FormOutcome) => (problem?.errors as FieldError[] | undefined) ?? [];

function rowsOf(outcome: FormOutcome, zone: string): Row[] {
  const { records, lines } = pastedRecords(outcome.values.get('lines') ?? '', zone);
  const found = Map.groupBy(faultsIn(outcome), ({ pointer }) => Number(AT_RECORD.exec(pointer)?.[1] ?? -1));
  return records.map((record, at) => ({
    line: lines[at]!,
    record,
    faults: (found.get(at) ?? []).map(({ detail }) => detail),
    first: lines[at - 1] !== lines[at],
  }));
}

/** The faults of the records, each said with the line it stands on, and leading there. */
function lineFaults(outcome: FormOutcome, rows: readonly Row[]): FieldError[] {
  const source = (outcome.values.get('lines') ?? '').split(/\r?\n/);
  return faultsIn(outcome).map(({ pointer, detail }) => {
    const line = rows[Number(AT_RECORD.exec(pointer)?.[1] ?? -1)]?.line;
    if (line === undefined) return { pointer: '/lines', detail };
    const words = (source[line - 1] ?? '').trim().slice(0, 60);
    return { pointer: `/line-${line}`, detail: `Line ${line}, “${words}”: ${detail}` };
  });
}

function titleOf(count: number): string {
  const faults = count === 1 ? '1 fault' : `${count} faults`;
  return `Nothing was saved: ${faults}${count > LISTED ? `; the first ${LISTED}:` : ''}`;
}
