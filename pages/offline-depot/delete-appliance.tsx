// Asks before an OVA is deleted from the depot.
import { readersOf } from '../../shared/services/offline-depot/appliances/appliance-readers.ts';
import { type ApplianceFile, findAppliance } from '../../shared/services/offline-depot/appliances/appliances.ts';
import { applianceParam } from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { DEPOT_PAGE } from './uploads.tsx';

type Data = ApplianceFile & { reads: boolean };

export const page = definePage({
  id: 'deleteDepotAppliancePage',
  path: `${DEPOT_PAGE}/appliances/{file}/delete`,
  current: DEPOT_PAGE,
  access: { session: 'write:depot' },
  params: applianceParam,
  async load({ db, services, params }): Promise<Data> {
    const found = await findAppliance(services, params.file);
    return { ...found, reads: (await readersOf(db, found.file)).length > 0 };
  },
  title: ({ file }) => `Delete ${file}`,
  view: Delete,
});

function Delete({ data: { file, size_bytes, version, modified_at, reads }, state, outcome }: ViewProps<Data>) {
  return (
    <>
      <PageHead
        trail={[{ href: DEPOT_PAGE, label: 'Offline depot' }]}
        here="Delete"
        title={
          <>
            Delete <span class="mono">{file}</span>?
          </>
        }
      />
      <Refused typed={typedInto('deleteDepotApplianceForm', outcome)} labels={{}} />
      <p>The file is gone at once and without an apply. To have it back, upload it again.</p>
      <FactsList
        facts={[
          { label: 'Version', value: version ?? <span class="muted">not known</span> },
          { label: 'Size', value: byteWords(size_bytes) },
          { label: 'Changed', value: <Instant at={modified_at} now={state.now} /> },
        ]}
      />
      <Form
        action={`${DEPOT_PAGE}/appliances/${encodeURIComponent(file)}/delete`}
        csrf={state.csrf}
        label={`Delete ${file}`}
      >
        <FormActions>
          <Button kind="bad" unavailable={reads ? 'A deployment reads it' : undefined}>
            Delete OVA
          </Button>
          <ButtonLink href={DEPOT_PAGE}>Keep it</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
