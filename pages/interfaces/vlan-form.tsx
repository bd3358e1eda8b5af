// The form of a VLAN, new or saved.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import type { InterfaceFacts } from '../../shared/platform/network/facts.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { CheckField, FieldGroup, Form, FormActions, SelectField, TextField } from '../components/form.tsx';
import { editedFrom, ON_APPLY } from '../layout/form-state.tsx';
import type { ShellState } from '../layout/state.ts';
import { EDITABLE_VLAN_LABELS, VLAN_LABELS } from './answer.tsx';
import { type Filled, faultsOf, fieldsOf } from './filled.ts';
import { foreseenIn } from './foreseen.ts';
import { inForceHelp, MAY_ONLY_READ, ROLE_OPTIONS } from './interface-form.tsx';
import { Said } from './preview.tsx';
import { Switch } from './switches.tsx';

export interface VlanFormProps {
  /** Null for a new one. */
  saved: NetworkInterface | null;
  trunks: readonly NetworkInterface[];
  was: InterfaceFacts;
  filled: Filled;
  state: ShellState;
}

export function VlanForm({ saved, trunks, was, filled, state }: VlanFormProps) {
  const errors = faultsOf(filled.outcome?.problem);
  const bind = (name: keyof NetworkInterface) => ({ name, error: errorOf(errors, name) });
  const text = (name: keyof NetworkInterface) => ({ ...bind(name), value: filled.text(name) });
  const flag = (name: 'enabled' | 'access_management_ui_enabled') => ({ ...bind(name), checked: filled.checked(name) });
  const reader = state.user.scopes.includes('write:vlans') ? undefined : MAY_ONLY_READ;
  const ui = { label: 'Management UI on this VLAN', help: 'For the access role. The management role always has it.' };
  return (
    <Form
      action={pagePath('vlan', saved ? saved.id : 'new')}
      csrf={state.csrf}
      {...(saved && editedFrom(filled.typed, saved.revision, fieldsOf(saved, EDITABLE_VLAN_LABELS)))}
      label={saved ? `Edit ${saved.name}` : 'New VLAN'}
    >
      {saved === null && (
        <FieldGroup legend="Link">
          <SelectField
            {...text('parent_interface')}
            label="Parent"
            options={trunks.map(({ name }) => ({ value: name, label: name }))}
            help="An interface in trunk mode. Parent and number are fixed once the VLAN is saved."
          />
          <TextField
            {...text('vlan_id')}
            label="VLAN number"
            mono
            inputmode="numeric"
            required
            help="1 to 4094, once on its parent"
          />
        </FieldGroup>
      )}
      <FieldGroup legend="Use">
        <SelectField {...text('role')} label="Role" options={ROLE_OPTIONS} />
        <TextField
          {...text('mtu')}
          label="MTU"
          mono
          inputmode="numeric"
          required={saved !== null}
          help={
            saved
              ? 'At most that of its parent'
              : 'At most that of its parent; empty for 1500, or less where the parent has less'
          }
        />
        {saved ? (
          <>
            <Switch {...flag('enabled')} saved={saved.enabled} group="Enabled" label="Use this VLAN" />
            <Switch {...flag('access_management_ui_enabled')} saved={saved.access_management_ui_enabled} {...ui} />
          </>
        ) : (
          <>
            <CheckField {...flag('enabled')} group="Enabled" label="Use this VLAN" />
            <CheckField {...flag('access_management_ui_enabled')} {...ui} />
          </>
        )}
      </FieldGroup>
      <FieldGroup legend="Addresses">
        <TextField
          {...text('ipv4_cidr')}
          label="IPv4 CIDR"
          mono
          placeholder="none"
          help={inForceHelp(
            was,
            'ipv4_cidr',
            saved?.ipv4_cidr ?? '',
            'Address with prefix length, such as 172.16.20.2/24',
          )}
        />
        <TextField
          {...text('ipv6_cidr')}
          label="IPv6 CIDR"
          mono
          placeholder="none"
          help={inForceHelp(
            was,
            'ipv6_cidr',
            saved?.ipv6_cidr ?? '',
            'One of the two is needed. IPv6 is on when this is set.',
          )}
        />
      </FieldGroup>
      <FormActions
        note={<Said foreseen={foreseenIn(filled.outcome, saved ? 'save' : 'add', VLAN_LABELS)} otherwise={ON_APPLY} />}
      >
        <Button kind="primary" unavailable={reader}>
          {saved ? 'Save VLAN' : 'Add VLAN'}
        </Button>
        {reader === undefined && (
          <Button name="dry_run" value="true">
            Check
          </Button>
        )}
        <ButtonLink href={pagePath('vlans')}>Cancel</ButtonLink>
      </FormActions>
    </Form>
  );
}
