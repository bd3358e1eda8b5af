// Adding a zone.
import { Button, ButtonLink } from '../../components/button.tsx';
import { Form, FormActions, TextField } from '../../components/form.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { DNS, ON_APPLY, Refused, typedInto } from './form-state.tsx';
import { ZONE_LABELS, ZoneFields } from './zone-fields.tsx';

const PATH = `${DNS}/zones/new`;

export const page = definePage({
  id: 'newDnsZonePage',
  path: PATH,
  current: DNS,
  access: { session: 'write:dns' },
  load: async () => null,
  title: () => 'Add a zone',
  view: NewZone,
});

function NewZone({ state, outcome }: ViewProps<null>) {
  const typed = typedInto('createDnsZoneForm', outcome);
  return (
    <>
      <PageHead title="Add a zone" trail={[{ href: DNS, label: 'DNS' }]} />
      <Refused typed={typed} labels={ZONE_LABELS} />
      <Form action={PATH} csrf={state.csrf} label="New zone">
        <TextField
          name="name"
          label={ZONE_LABELS.name}
          value={typed.text('name', '')}
          error={typed.of('name')}
          mono
          required
          placeholder="lab.example"
          help="A domain name. It can’t be changed later. Reverse zones are optional: every address gets its reverse record without one."
        />
        <ZoneFields saved={{ description: '', enabled: true }} typed={typed} />
        <FormActions note={ON_APPLY}>
          <Button kind="primary">Add zone</Button>
          <ButtonLink href={DNS}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
