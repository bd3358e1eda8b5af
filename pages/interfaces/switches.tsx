// A switch of an interface form: the box, and beside it what the page showed.
import { wasField } from '../../shared/platform/interfaces/switch-field.ts';
import { CheckField, HiddenField } from '../components/form.tsx';

export interface SwitchProps {
  name: string;
  label: string;
  group?: string;
  help?: string;
  error?: string | undefined;
  /** What is saved, and what the box shows. */
  saved: boolean;
  checked: boolean;
}

export function Switch({ saved, ...field }: SwitchProps) {
  return (
    <>
      <HiddenField name={wasField(field.name)} value={String(saved)} />
      <CheckField {...field} />
    </>
  );
}
