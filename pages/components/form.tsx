// Forms: one row a field, its help and its error beside it and bound to it, a summary on top that links to each field.
// Every form posts without script, with the session's CSRF token and the revision that it was filled from.
import type { ComponentChildren } from 'preact';
import { withoutHidden } from '../../shared/ground/schemas/plain-text.ts';
import { Icon } from './icons.tsx';

export interface FormProps {
  action: string;
  csrf: string;
  /** Revision of the row being edited; an older one answers 412. */
  revision?: number | undefined;
  /** What its fields held at this revision, so that a stale form can be merged. Never a secret. */
  opened?: string;
  id?: string;
  /** `stack` puts labels above the fields, for narrow columns. */
  look?: 'rows' | 'stack';
  /** Name of the form, where a page has several. */
  label?: string;
  /** It has a file. */
  files?: boolean;
  children: ComponentChildren;
}

export function Form({ action, csrf, revision, opened, id, look = 'rows', label, files, children }: FormProps) {
  return (
    // The summary names all faults at once; the browser would stop at the first of those that it knows.
    <form
      class={look === 'stack' ? 'form stack' : 'form'}
      method="post"
      action={action}
      enctype={files ? 'multipart/form-data' : undefined}
      id={id}
      aria-label={label}
      noValidate
    >
      <HiddenField name="csrf" value={csrf} />
      {revision !== undefined && <HiddenField name="revision" value={revision} />}
      {opened !== undefined && <HiddenField name="opened" value={opened} />}
      {children}
    </form>
  );
}

export function FieldGroup({ legend, children }: { legend: ComponentChildren; children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** The row of buttons that ends a form, with a sentence on what they do. */
export function FormActions({ note, children }: { note?: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="actions">
      {children}
      {note !== undefined && <p class="muted">{note}</p>}
    </div>
  );
}

export function HiddenField({ name, value }: { name: string; value: string | number }) {
  return <input type="hidden" name={name} value={value} />;
}

interface FieldProps {
  name: string;
  label: ComponentChildren;
  /** Id of the control; the name unless a page has the name twice. */
  id?: string | undefined;
  help?: ComponentChildren;
  error?: string | undefined;
}

/** Ids of help and error, and the attributes that bind them to the control. */
function bindings({ id, name, help, error }: FieldProps) {
  const own = id ?? name;
  const helpId = `${own}-help`;
  const errorId = `${own}-error`;
  const described = [error !== undefined && errorId, help !== undefined && helpId].filter(Boolean).join(' ');
  const bound: { id: string; name: string; 'aria-describedby'?: string; 'aria-invalid'?: 'true' } = { id: own, name };
  if (described !== '') bound['aria-describedby'] = described;
  if (error !== undefined) bound['aria-invalid'] = 'true';
  return { helpId, errorId, bound };
}

function Notes({ field, helpId, errorId }: { field: FieldProps; helpId: string; errorId: string }) {
  return (
    <>
      {field.help !== undefined && (
        <p class="help" id={helpId}>
          {field.help}
        </p>
      )}
      {field.error !== undefined && (
        <p class="err" id={errorId}>
          <Icon name="stop" />
          <span>{field.error}</span>
        </p>
      )}
    </>
  );
}

const rowClass = (error: string | undefined) => (error === undefined ? 'field' : 'field field-bad');

export interface TextFieldProps extends FieldProps {
  value: string | number;
  type?: 'text' | 'password' | 'number' | 'email' | 'url' | 'search';
  /** Monospace: addresses, names, codes. */
  mono?: boolean;
  /** As wide as the form, for monospace that may be long. */
  wide?: boolean;
  placeholder?: string;
  required?: boolean;
  readonly?: boolean;
  autocomplete?: string;
  inputmode?: 'numeric' | 'text';
  maxlength?: number;
  min?: number;
  max?: number;
}

export function TextField(props: TextFieldProps) {
  const { label, value, type = 'text', mono, required, readonly, autocomplete, inputmode, maxlength, min, max } = props;
  const { helpId, errorId, bound } = bindings(props);
  return (
    <div class={rowClass(props.error)}>
      <label for={bound.id}>{label}</label>
      <input
        {...bound}
        // The element's types pair each type with its attributes; those used here are valid for all of them.
        type={type as 'text'}
        // An invisible character in an older text would refuse the whole form, and nobody could see it to remove it.
        value={typeof value === 'string' ? withoutHidden(value) : value}
        class={mono ? (props.wide ? 'mono wide' : 'mono') : undefined}
        placeholder={props.placeholder}
        required={required}
        readonly={readonly}
        autocomplete={autocomplete ?? (mono ? 'off' : undefined)}
        spellcheck={mono ? false : undefined}
        autocapitalize={mono ? 'none' : undefined}
        inputmode={inputmode}
        maxlength={maxlength}
        min={min}
        max={max}
      />
      <Notes field={props} helpId={helpId} errorId={errorId} />
    </div>
  );
}

export interface TextAreaProps extends FieldProps {
  value: string;
  rows?: number;
  mono?: boolean;
  placeholder?: string;
  required?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { helpId, errorId, bound } = bindings(props);
  return (
    <div class={rowClass(props.error)}>
      <label for={bound.id}>{props.label}</label>
      <textarea
        {...bound}
        class={props.mono ? 'mono' : undefined}
        rows={props.rows ?? 4}
        spellcheck={props.mono ? false : undefined}
        placeholder={props.placeholder}
        required={props.required}
        value={props.value}
      />
      <Notes field={props} helpId={helpId} errorId={errorId} />
    </div>
  );
}

/** A file, in a form that has `files`. What was chosen is not kept when the form comes back. */
export function FileField(props: FieldProps & { accept?: string }) {
  const { helpId, errorId, bound } = bindings(props);
  return (
    <div class={rowClass(props.error)}>
      <label for={bound.id}>{props.label}</label>
      <input {...bound} type="file" accept={props.accept} />
      <Notes field={props} helpId={helpId} errorId={errorId} />
    </div>
  );
}

export interface FieldOption {
  value: string;
  label: ComponentChildren;
  /** Why it can't be chosen now; shown in words after the label. */
  unavailable?: string | undefined;
  /** Of a list: what it belongs to, where there is more than one such thing. */
  group?: string;
}

export interface SelectFieldProps extends FieldProps {
  value: string;
  options: readonly FieldOption[];
  required?: boolean;
}

export function SelectField(props: SelectFieldProps) {
  const { helpId, errorId, bound } = bindings(props);
  return (
    <div class={rowClass(props.error)}>
      <label for={bound.id}>{props.label}</label>
      <select {...bound} required={props.required}>
        {groupsOf(props.options).map(({ group, options }) =>
          group === null ? (
            <ListOptions key="" options={options} value={props.value} />
          ) : (
            <optgroup key={group} label={group}>
              <ListOptions options={options} value={props.value} />
            </optgroup>
          ),
        )}
      </select>
      <Notes field={props} helpId={helpId} errorId={errorId} />
    </div>
  );
}

function ListOptions({ options, value: chosen }: Pick<SelectFieldProps, 'options' | 'value'>) {
  return (
    <>
      {options.map(({ value, label, unavailable }) => (
        <option key={value} value={value} selected={value === chosen} disabled={unavailable !== undefined}>
          {label}
          {unavailable !== undefined && ` (${unavailable})`}
        </option>
      ))}
    </>
  );
}

/** In their order; with one group only, all are in none. */
function groupsOf(options: readonly FieldOption[]): { group: string | null; options: readonly FieldOption[] }[] {
  const groups = Map.groupBy(options, ({ group }) => group ?? null);
  const named = [...groups.keys()].filter((group) => group !== null);
  if (named.length <= 1) return [{ group: null, options }];
  return [...groups].map(([group, members]) => ({ group, options: members }));
}

export interface ChoicesProps extends FieldProps {
  options: readonly FieldOption[];
  /** Below one another where labels are long, in as many columns as fit. */
  look?: 'columns' | undefined;
}

/** Radio buttons: one of few. */
export function RadioField(props: ChoicesProps & { value: string }) {
  return <Options {...props} type="radio" role="radiogroup" chosen={(value) => value === props.value} />;
}

/** Check boxes that share one name: any of few. */
export function CheckGroup(props: ChoicesProps & { values: readonly string[] }) {
  return <Options {...props} type="checkbox" role="group" chosen={(value) => props.values.includes(value)} />;
}

interface OptionsProps extends ChoicesProps {
  type: 'radio' | 'checkbox';
  role: 'radiogroup' | 'group';
  chosen: (value: string) => boolean;
}

function Options(props: OptionsProps) {
  const { helpId, errorId, bound } = bindings(props);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role, group or radiogroup, does support the label
    <div
      class={rowClass(props.error)}
      role={props.role}
      aria-labelledby={`${bound.id}-label`}
      aria-describedby={bound['aria-describedby']}
    >
      <span class="label" id={`${bound.id}-label`}>
        {props.label}
      </span>
      <div class={props.look === 'columns' ? 'opts opts-columns' : 'opts'}>
        {props.options.map(({ value, label, unavailable }, index) => (
          <label key={value} class={unavailable === undefined ? undefined : 'muted'}>
            <input
              type={props.type}
              id={index === 0 ? bound.id : `${bound.id}-${value}`}
              name={props.name}
              value={value}
              checked={props.chosen(value)}
              disabled={unavailable !== undefined}
              aria-invalid={bound['aria-invalid']}
            />
            <span>
              {label}
              {unavailable !== undefined && ` (${unavailable})`}
            </span>
          </label>
        ))}
      </div>
      <Notes field={props} helpId={helpId} errorId={errorId} />
    </div>
  );
}

/** One switch. An unchecked box sends nothing: the operation reads its absence as false. `group` labels the row. */
export function CheckField(props: FieldProps & { checked: boolean; value?: string; group?: string }) {
  const { helpId, errorId, bound } = bindings(props);
  return (
    <div class={rowClass(props.error)}>
      <span class="label">{props.group}</span>
      <div class="opts">
        <label>
          <input {...bound} type="checkbox" value={props.value ?? 'true'} checked={props.checked} />
          <span>{props.label}</span>
        </label>
      </div>
      <Notes field={props} helpId={helpId} errorId={errorId} />
    </div>
  );
}
