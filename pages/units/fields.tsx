// Form fields from a table: what a document or an item has becomes rows of a form, filled with what was typed or else
// with what is saved, each fault at its field.
import type { ComponentChildren } from 'preact';
import type { Listenable } from '../../shared/platform/units/settings-store.ts';
import { More } from '../components/code.tsx';
import {
  CheckField,
  CheckGroup,
  FieldGroup,
  type FieldOption,
  RadioField,
  SelectField,
  TextArea,
  TextField,
} from '../components/form.tsx';
import type { SavedField, Typed } from '../layout/form-state.tsx';

interface Named {
  /** Member of the body, name and id of the control. */
  name: string;
  label: string;
  help?: ComponentChildren;
  /** It is no part of what is saved, or is written only: a stale form does not compare it. */
  unsaved?: boolean;
}

export type Field = Named &
  (
    | { kind: 'switch'; text: string }
    | { kind: 'text'; mono?: boolean; wide?: boolean; placeholder?: string; maxlength?: number; required?: boolean }
    | { kind: 'number' }
    | { kind: 'area'; rows: number; placeholder?: string; required?: boolean }
    | { kind: 'list'; rows?: number; placeholder?: string }
    | { kind: 'choice'; options: readonly FieldOption[] }
    | { kind: 'radio'; options: readonly FieldOption[] }
    | { kind: 'several'; options: readonly FieldOption[] }
    | { kind: 'interfaces'; interfaces: readonly Listenable[] }
  );

export interface Group {
  legend: string;
  fields: readonly Field[];
}

type Saved = Readonly<Record<string, unknown>>;
type Of<K extends Field['kind']> = Extract<Field, { kind: K }>;
type Render<K extends Field['kind']> = (field: Of<K>, saved: unknown, typed: Typed) => ComponentChildren;

const bound = ({ name, label, help }: Named, typed: Typed) => ({
  name,
  label,
  error: typed.of(name),
  ...(help !== undefined && { help }),
});
const listed = (saved: unknown): readonly string[] => saved as readonly string[];

/** Of a field with many lines, each of which may have a fault. */
function allFaults(name: string, { errors }: Typed): string | undefined {
  const own = errors.filter(({ pointer }) => pointer === `/${name}`).map(({ detail }) => detail);
  return own.length > 0 ? own.join(' ') : undefined;
}

const RENDERS: { [K in Field['kind']]: Render<K> } = {
  switch: (field, saved, typed) => (
    <CheckField
      {...bound(field, typed)}
      group={field.label}
      label={field.text}
      checked={typed.checked(field.name, saved === true)}
    />
  ),
  text: (field, saved, typed) => (
    <TextField
      {...bound(field, typed)}
      value={typed.text(field.name, String(saved))}
      mono={field.mono ?? false}
      wide={field.wide ?? false}
      required={field.required ?? false}
      {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
      {...(field.maxlength !== undefined && { maxlength: field.maxlength })}
    />
  ),
  area: (field, saved, typed) => (
    <TextArea
      {...bound(field, typed)}
      error={allFaults(field.name, typed)}
      value={typed.text(field.name, String(saved))}
      rows={field.rows}
      mono
      required={field.required ?? false}
      {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
    />
  ),
  number: (field, saved, typed) => (
    <TextField {...bound(field, typed)} value={typed.text(field.name, String(saved))} mono inputmode="numeric" />
  ),
  list: (field, saved, typed) => (
    <TextArea
      {...bound(field, typed)}
      value={typed.text(field.name, listed(saved).join('\n'))}
      rows={field.rows ?? 3}
      mono
      placeholder={field.placeholder ?? 'none'}
    />
  ),
  choice: (field, saved, typed) => (
    <SelectField {...bound(field, typed)} value={typed.text(field.name, String(saved))} options={field.options} />
  ),
  radio: (field, saved, typed) => (
    <RadioField {...bound(field, typed)} value={typed.text(field.name, String(saved))} options={field.options} />
  ),
  several: (field, saved, typed) => (
    <CheckGroup {...bound(field, typed)} values={typed.all(field.name, listed(saved))} options={field.options} />
  ),
  interfaces: (field, saved, typed) => {
    const chosen = typed.all(field.name, listed(saved));
    const [can, rest] = listenOptions(field.interfaces, chosen);
    return (
      <>
        <CheckGroup {...bound(field, typed)} values={chosen} options={can} look="columns" />
        {rest.length > 0 && <NotListenable rest={rest} />}
      </>
    );
  },
};

export interface FieldGroupsProps {
  groups: readonly Group[];
  saved: Saved;
  typed: Typed;
}

export function FieldGroups({ groups, saved, typed }: FieldGroupsProps) {
  return (
    <>
      {groups.map(({ legend, fields }) => (
        <FieldGroup key={legend} legend={legend}>
          {fields.map((field) =>
            (RENDERS[field.kind] as Render<Field['kind']>)(field as never, saved[field.name], typed),
          )}
        </FieldGroup>
      ))}
    </>
  );
}

/** Field → label, for the summary of faults. */
export function labelsOf(groups: readonly Group[]): Record<string, string> {
  return Object.fromEntries(groups.flatMap(({ fields }) => fields.map(({ name, label }) => [name, label])));
}

/** What is saved of each field, for a form that came too late. */
export function savedFields(groups: readonly Group[], saved: Saved): SavedField[] {
  return groups.flatMap(({ fields }) =>
    fields
      .filter(({ unsaved }) => !unsaved)
      .map(({ name, label, kind }): SavedField => [label, name, comparable(kind, saved[name])]),
  );
}

function comparable(kind: Field['kind'], value: unknown): SavedField[2] {
  if (kind === 'switch') return value === true;
  if (kind === 'list') return listed(value).join('\n');
  return Array.isArray(value) ? value : String(value);
}

/** The same for a list to choose one from, where an option holds nothing but text. */
export function interfaceOptions(interfaces: readonly Listenable[], chosen: string): FieldOption[] {
  const known = interfaces.map(({ name, usable, addresses, obstacle }) => ({
    value: name,
    label: `${name}: ${usable ? addresses.join(', ') || 'address by DHCP' : obstacle}`,
  }));
  const gone = chosen !== '' && !known.some(({ value }) => value === chosen);
  return [
    { value: '', label: 'Choose an interface' },
    ...known,
    ...(gone ? [{ value: chosen, label: `${chosen}: there is no such interface` }] : []),
  ];
}

/** Interfaces that a service can't be given now, each with the reason, behind how many they are. */
function NotListenable({ rest }: { rest: readonly Listenable[] }) {
  return (
    <div class="field">
      <span class="label" />
      <More summary={rest.length === 1 ? '1 interface can’t be chosen' : `${rest.length} interfaces can’t be chosen`}>
        <ul class="not-listenable">
          {rest.map(({ name, obstacle }) => (
            <li key={name}>
              <code>{name}</code> <span class="muted">{obstacle}</span>
            </li>
          ))}
        </ul>
      </More>
    </div>
  );
}

/** What can be chosen, or is, with its addresses or what stands in its way; and the interfaces that can't be. */
export function listenOptions(
  interfaces: readonly Listenable[],
  chosen: readonly string[],
): [options: FieldOption[], rest: Listenable[]] {
  const gone = chosen.filter((name) => !interfaces.some((each) => each.name === name));
  const { true: shown = [], false: rest = [] } = Object.groupBy(interfaces, ({ name, usable }) =>
    usable || chosen.includes(name) ? 'true' : 'false',
  );
  const options = shown.map(({ name, usable, addresses, obstacle }) => ({
    value: name,
    label: (
      <>
        <code>{name}</code> <span class="muted">{usable ? addresses.join(', ') || 'address by DHCP' : obstacle}</span>
      </>
    ),
  }));
  return [[...options, ...gone.map((name) => ({ value: name, label: `${name} (there is no such interface)` }))], rest];
}
