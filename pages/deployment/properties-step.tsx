// The OVF properties, as the OVF itself describes them: its categories, labels, defaults and bounds. Passwords come with the
// review, where they are used.
import { defaultOf } from '../../shared/ground/ova/property-values.ts';
import type { OvfProperty } from '../../shared/ground/ova/types.ts';
import { counted } from '../../shared/vcf/deployment/check.ts';
import type { Proposal } from '../../shared/vcf/deployment/propose.ts';
import { asked } from '../../shared/vcf/deployment/wizard-task.ts';
import { Note } from '../components/block.tsx';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FieldGroup, FormActions, SelectField, TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import type { DeploymentStep } from './deployment.tsx';

interface Asked {
  field: string;
  property: OvfProperty;
}

export function Properties(props: DeploymentStep) {
  const { view, typed, data } = props;
  const deployment = view.draft?.deployment;
  if (!deployment || !data.descriptor) return null;
  const open = asked(data.descriptor, false);
  const secret = asked(data.descriptor, true);
  const option = deployment.placement?.deployment_option ?? '';
  const before = data.chosen.properties;
  // What was sent once is the operator's own, an empty field too.
  const proposed = (key: string) => (before?.[key] === undefined ? data.proposals.get(key) : undefined);
  const count = open.filter(({ property: { key } }) => proposed(key)).length;
  return (
    <StepForm {...props} to="properties" label="Properties">
      {open.length === 0 && <Empty>The OVF has no properties that are set here.</Empty>}
      {count > 0 && (
        <Note>
          {counted(count, 'field')} {count === 1 ? 'is' : 'are'} filled in with what this appliance knows of the machine
          and its network. Each says where it is from: check it, and change what is wrong.
        </Note>
      )}
      {groupsOf(open).map(([category, members]) => (
        <FieldGroup key={category} legend={category}>
          {members.map(({ field, property }) => (
            <PropertyField
              key={field}
              field={field}
              property={property}
              value={before?.[property.key] ?? proposed(property.key)?.value ?? defaultOf(property, option)}
              proposed={proposed(property.key)}
              typed={typed}
            />
          ))}
        </FieldGroup>
      ))}
      <FormActions
        note={
          secret.length > 0
            ? `${secret.length === 1 ? 'The password is' : `The ${secret.length} passwords are`} asked for at the review: nothing here keeps them between steps.`
            : undefined
        }
      >
        <Button kind="primary">Continue</Button>
        <Back view={view} to="placement" />
      </FormActions>
    </StepForm>
  );
}

function groupsOf(all: readonly Asked[]): [string, Asked[]][] {
  return [...Map.groupBy(all, ({ property }) => property.category || 'Properties')];
}

const BOOLEAN = [
  { value: 'True', label: 'Yes' },
  { value: 'False', label: 'No' },
];

interface FieldProps extends Asked {
  value: string;
  /** What the value is, where nobody has chosen one. */
  proposed?: Proposal | undefined;
  typed: Typed;
}

/** One property; a password is never filled in. */
export function PropertyField({ field, property, value, proposed, typed }: FieldProps) {
  const { key, label, kind, password, required, choices } = property;
  const stands = proposed && typed.text(field, value) === proposed.value ? proposed : undefined;
  const common = { name: field, label: label || key, help: helpOf(property, stands), error: typed.of(field) };
  if (password) {
    return <TextField {...common} type="password" mono wide value="" required={required} autocomplete="new-password" />;
  }
  const now = typed.text(field, value);
  if (kind === 'boolean') {
    const chosen = /^(?:true|yes|1)$/i.test(now) ? 'True' : now === '' && !required ? '' : 'False';
    return <SelectField {...common} value={chosen} options={required ? BOOLEAN : [NONE, ...BOOLEAN]} />;
  }
  if (choices) {
    const options = choices.map((choice) => ({ value: choice, label: choice }));
    return <SelectField {...common} value={now} options={required ? options : [NONE, ...options]} />;
  }
  return <TextField {...common} mono wide value={now} required={required} maxlength={property.max_length ?? 65_535} />;
}

const NONE = { value: '', label: 'Not set' };

function helpOf(
  { key, description, min_length, max_length, minimum, maximum }: OvfProperty,
  proposed: Proposal | undefined,
) {
  const bounds = [...between('characters', min_length, max_length), ...between('', minimum, maximum)].join(', ');
  return (
    <>
      {description}
      {description !== '' && !/[.!?]$/.test(description.trim()) && '.'} {bounds !== '' && `${bounds}. `}
      <code>{key}</code>
      {proposed && <span class="proposed line">Proposed, from {proposed.from}.</span>}
    </>
  );
}

function between(unit: string, least: number | null, most: number | null): string[] {
  const of = unit === '' ? '' : ` ${unit}`;
  if (least !== null && most !== null) return [`${least} to ${most}${of}`];
  if (least !== null) return [`At least ${least}${of}`];
  return most !== null && most < 65_535 ? [`At most ${most}${of}`] : [];
}
