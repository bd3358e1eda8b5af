// Everything that keeps a form from being saved, on top of it, each linked to its field.
import type { FieldError } from '../../shared/ground/problems.ts';
import { Icon } from './icons.tsx';

/** Id of the control that a fault points at: `/ipv4_cidr` → `ipv4_cidr`, `/ranges/0/start` → `ranges-0-start`. */
export function fieldId(pointer: string): string {
  return pointer
    .replace(/^[/?{]+|\}$/g, '')
    .replaceAll('/', '-')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** The first fault of a field, for its `error`. */
export function errorOf(errors: readonly FieldError[], name: string): string | undefined {
  return errors.find(({ pointer }) => fieldId(pointer) === name)?.detail;
}

export interface ErrorSummaryProps {
  errors: readonly FieldError[];
  /** Field id → its label, put before the fault. */
  labels?: Record<string, string>;
  title?: string;
  /** False where the fields are not on this page. */
  linked?: boolean;
}

export function ErrorSummary({ errors, labels = {}, title, linked = true }: ErrorSummaryProps) {
  if (errors.length === 0) return null;
  const fields = errors.length === 1 ? '1 field needs correction' : `${errors.length} fields need correction`;
  return (
    <div class="summary" role="alert" tabIndex={-1} id="errors">
      <Icon name="stop" />
      <div>
        <h2>{title ?? `Not saved: ${fields}`}</h2>
        <ul>
          {errors.map(({ pointer, detail }) => {
            const id = fieldId(pointer);
            const text = labels[id] === undefined ? detail : `${labels[id]}: ${detail}`;
            return (
              <li key={`${pointer} ${detail}`}>{linked ? <a href={`#${id}`}>{text}</a> : `${pointer} ${text}`}</li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
