// The legacy global binding: the one subnet that DHCP serves while there is no scope.
import { type LegacyBinding, readLegacyBinding } from '../../../shared/services/dns-dhcp/dhcp/legacy-binding.ts';
import { readSurroundings, type Surroundings } from '../../../shared/services/dns-dhcp/dhcp/surroundings.ts';
import { Note } from '../../components/block.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Form, FormActions } from '../../components/form.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  mayOnlyRead,
  ON_APPLY,
  Refused,
  StaleForm,
  typedInto,
} from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { FieldGroups, type Group, labelsOf, savedFields } from '../../units/fields.tsx';
import { DHCP, LEGACY, SCOPES } from './dhcp-words.tsx';
import { clientsGroup, EXAMPLES, followed, networkGroup, numbered, subnetValues } from './subnet-fields.ts';

interface Data {
  saved: LegacyBinding;
  around: Surroundings;
  last: LastSave | null;
}

export const page = definePage({
  id: 'dhcpLegacyBindingPage',
  path: LEGACY,
  current: DHCP.href,
  access: { session: 'read:dhcp' },
  async load({ db, outcome }): Promise<Data> {
    const [saved, around, last] = await Promise.all([
      readLegacyBinding(db),
      readSurroundings(db),
      lastSaveOf(db, outcome, { type: 'unit_settings', id: 'dhcp-legacy-binding' }),
    ]);
    return { saved, around, last };
  },
  title: () => 'Legacy DHCP binding',
  view: Legacy,
});

function groupsOf({ saved, around }: Data): Group[] {
  return [
    {
      legend: 'Binding',
      fields: [{ name: 'enabled', label: 'Enabled', kind: 'switch', text: 'Serve it while there is no scope' }],
    },
    networkGroup({
      standing: around.standing,
      chosen: saved.interface,
      family: 'An IPv4 network without host bits',
      example: EXAMPLES.ipv4,
    }),
    clientsGroup(followed({ ...saved, address_family: 'ipv4' }, around)),
  ];
}

function Legacy({ data, state, outcome }: ViewProps<Data>) {
  const { saved, around, last } = data;
  const scopes = around.scopes.length;
  const typed = numbered(typedInto('updateDhcpLegacyBindingForm', outcome));
  const groups = groupsOf(data);
  const values = subnetValues(saved);
  const fields = savedFields(groups, values);
  const reader = state.user.scopes.includes('write:dhcp') ? undefined : mayOnlyRead('DHCP');
  return (
    <>
      <PageHead
        title="Legacy binding"
        trail={[DHCP]}
        intro="The one IPv4 subnet of older releases. Use scopes for new networks."
      >
        {reader === undefined && <ButtonLink href={`${SCOPES}/new`}>Add scope</ButtonLink>}
      </PageHead>
      <Note>
        {scopes === 0
          ? 'Used, because there is no scope. The first scope replaces it.'
          : `Not used: there ${scopes === 1 ? 'is a scope' : `are ${scopes} scopes`}.`}
      </Note>
      <Refused typed={typed} labels={labelsOf(groups)} />
      <StaleForm
        typed={typed}
        name="the binding"
        revision={saved.revision}
        last={last}
        saved={fields}
        now={state.now}
      />
      <Form action={LEGACY} csrf={state.csrf} {...editedFrom(typed, saved.revision, fields)} label="Legacy binding">
        <FieldGroups groups={groups} saved={values} typed={typed} />
        <FormActions note={ON_APPLY}>
          <Button kind="primary" unavailable={reader}>
            Save binding
          </Button>
          <ButtonLink href={DHCP.href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
