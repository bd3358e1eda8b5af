// The form of a physical interface.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { MODES, type NetworkInterface, ROLES } from '../../shared/platform/interfaces/interface.ts';
import { wasField } from '../../shared/platform/interfaces/switch-field.ts';
import type { InterfaceFacts, NetworkFact } from '../../shared/platform/network/facts.ts';
import { valueWords } from '../../shared/platform/network/words.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { FieldGroup, Form, FormActions, HiddenField, RadioField, SelectField, TextField } from '../components/form.tsx';
import { editedFrom, ON_APPLY } from '../layout/form-state.tsx';
import type { ShellState } from '../layout/state.ts';
import { FIELD_LABELS } from './answer.tsx';
import { type Filled, faultsOf, fieldsOf } from './filled.ts';
import { foreseenIn } from './foreseen.ts';
import { Said } from './preview.tsx';
import { Switch } from './switches.tsx';

export const ROLE_OPTIONS = [
  { value: 'management', label: 'management: the management UI answers here' },
  { value: 'access', label: 'access: services for clients' },
  { value: 'route', label: 'route: an address, no services' },
  { value: 'unused', label: 'unused: left as the host has it' },
].filter(({ value }) => (ROLES as readonly string[]).includes(value));

const IPV4_HELP = {
  static: 'Address with prefix length, such as 192.168.10.2/24',
  dhcp: 'Given by DHCP. With static: empty keeps what it has now, none clears it',
} as const;

export const MAY_ONLY_READ = 'your role may look, not save';

/** Help of an address field: the value in force where the saved one differs, else `otherwise`. */
export function inForceHelp(was: InterfaceFacts, setting: NetworkFact, saved: string, otherwise: string) {
  const value = valueWords(setting, was[setting]);
  if (value === undefined || value === saved) return otherwise;
  return (
    <>
      In force <code class="was">{value}</code>
    </>
  );
}

export interface InterfaceFormProps {
  saved: NetworkInterface;
  was: InterfaceFacts;
  vlans: readonly NetworkInterface[];
  filled: Filled;
  state: ShellState;
}

export function InterfaceForm({ saved, was, vlans, filled, state }: InterfaceFormProps) {
  const errors = faultsOf(filled.outcome?.problem);
  const bind = (name: keyof NetworkInterface) => ({ name, error: errorOf(errors, name) });
  const text = (name: keyof NetworkInterface) => ({ ...bind(name), value: filled.text(name) });
  const flag = (name: 'enabled' | 'access_management_ui_enabled' | 'ipv6_enabled') => ({
    ...bind(name),
    saved: saved[name],
    checked: filled.checked(name),
  });
  const reader = state.user.scopes.includes('write:interfaces') ? undefined : MAY_ONLY_READ;
  const held =
    vlans.length > 0
      ? `${vlans.length === 1 ? 'its VLAN' : `its ${vlans.length} VLANs`} must be deleted first`
      : undefined;
  return (
    <Form
      action={pagePath('interface', saved.name)}
      csrf={state.csrf}
      {...editedFrom(filled.typed, saved.revision, fieldsOf(saved, FIELD_LABELS))}
      label={`Edit ${saved.name}`}
    >
      <FieldGroup legend="Use">
        <SelectField {...text('role')} label="Role" options={ROLE_OPTIONS} />
        <RadioField
          {...text('mode')}
          label="Mode"
          options={MODES.map((mode) => ({
            value: mode,
            label: mode,
            unavailable: mode === 'access' ? held : undefined,
          }))}
          help="A trunk carries VLANs and no addresses of its own: saving it as trunk clears role and addresses."
        />
        <TextField
          {...text('mtu')}
          label="MTU"
          mono
          inputmode="numeric"
          required
          help="576 to 9216 bytes; IPv6 needs 1280"
        />
        <Switch {...flag('enabled')} group="Enabled" label="Use this interface" />
        <Switch
          {...flag('access_management_ui_enabled')}
          label="Management UI on this interface"
          help="For the access role. The management role always has it."
        />
      </FieldGroup>
      <FieldGroup legend="IPv4">
        <HiddenField name={wasField('ipv4_method')} value={saved.ipv4_method} />
        <RadioField
          {...text('ipv4_method')}
          label="Method"
          options={[
            { value: 'static', label: 'static' },
            { value: 'dhcp', label: 'dhcp, management role only' },
          ]}
        />
        <TextField
          {...text('ipv4_cidr')}
          label="IPv4 CIDR"
          mono
          placeholder="none"
          help={inForceHelp(was, 'ipv4_cidr', saved.ipv4_cidr, IPV4_HELP[saved.ipv4_method])}
        />
        <TextField
          {...text('ipv4_gateway')}
          label="IPv4 gateway"
          mono
          placeholder="none"
          help={inForceHelp(was, 'ipv4_gateway', saved.ipv4_gateway, 'Inside the network of the CIDR')}
        />
      </FieldGroup>
      <FieldGroup legend="IPv6">
        <Switch
          {...flag('ipv6_enabled')}
          group="Family"
          label="IPv6 enabled"
          help="Without a CIDR the address comes from router advertisements."
        />
        <TextField
          {...text('ipv6_cidr')}
          label="IPv6 CIDR"
          mono
          placeholder="none"
          help={inForceHelp(was, 'ipv6_cidr', saved.ipv6_cidr, 'Address with prefix length, such as fd00:10::2/64')}
        />
        <TextField
          {...text('ipv6_gateway')}
          label="IPv6 gateway"
          mono
          placeholder="none"
          help={inForceHelp(was, 'ipv6_gateway', saved.ipv6_gateway, 'Link-local, or inside the network of the CIDR')}
        />
      </FieldGroup>
      <FormActions note={<Said foreseen={foreseenIn(filled.outcome, 'save', FIELD_LABELS)} otherwise={ON_APPLY} />}>
        <Button kind="primary" unavailable={reader}>
          Save interface
        </Button>
        {reader === undefined && (
          <Button name="dry_run" value="true">
            Check
          </Button>
        )}
        <ButtonLink href={pagePath('interfaces')}>Cancel</ButtonLink>
      </FormActions>
    </Form>
  );
}
