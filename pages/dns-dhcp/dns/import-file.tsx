// The form for a file of many records: a job checks and saves it, and its page says how far it is and what was refused.
import { FILE_BYTES, ROWS_MOST } from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { Button } from '../../components/button.tsx';
import { FileField, Form, FormActions } from '../../components/form.tsx';
import type { ViewProps } from '../../layout/define-page.tsx';
import { Refused } from '../../layout/form-state.tsx';
import { ON_APPLY, typedInto, zoneHref } from './form-state.tsx';

const MIB = FILE_BYTES / (1 << 20);

export function ImportFile({ zone, state, outcome }: { zone: Zone } & Pick<ViewProps<Zone>, 'state' | 'outcome'>) {
  const typed = typedInto('importDnsRecordsFileForm', outcome);
  return (
    <section class="below" aria-labelledby="import-file">
      <h2 id="import-file">Import a file</h2>
      <p>
        For up to {ROWS_MOST.toLocaleString('en')} records. A job checks all rows first, then saves all of them or none,
        and says which rows are refused and why.
      </p>
      <Refused typed={typed} labels={{ file: 'File' }} />
      <Form action={`${zoneHref(zone.id)}/import-file`} csrf={state.csrf} label="Import a file" files>
        <FileField
          name="file"
          label="File"
          accept=".csv,.json,text/csv,application/json"
          error={typed.of('file')}
          help={`At most ${MIB} MiB. CSV whose first line names the columns: fqdn, type, value, and where wanted description and enabled. Or a JSON list of records. Names are full names, also in other zones.`}
        />
        <FormActions note={ON_APPLY}>
          <Button kind="primary">Import the file</Button>
          <Button name="check_only" value="on">
            Check
          </Button>
        </FormActions>
      </Form>
    </section>
  );
}
