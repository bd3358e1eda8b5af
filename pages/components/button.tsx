// Buttons, links that look like buttons, and single-button forms for actions on a row.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

export type ButtonKind = 'plain' | 'primary' | 'bad' | 'row';
const CLASSES: Record<ButtonKind, string> = {
  plain: 'btn',
  primary: 'btn btn-primary',
  bad: 'btn btn-bad',
  row: 'btn btn-row',
};

interface Look {
  kind?: ButtonKind | undefined;
  icon?: IconName | undefined;
  /** Accessible name where the visible word lacks its object: "Edit ens224". It begins with the visible word. */
  label?: string | undefined;
  children: ComponentChildren;
}

export interface ButtonProps extends Look {
  name?: string;
  value?: string;
  type?: 'submit' | 'button';
  /** Id of the form that the button belongs to, when it stands outside of it. */
  form?: string;
  /** Another path to post the form to. */
  action?: string;
  /** Why the button can't be used now; shown beside it, and the button sends nothing. */
  unavailable?: string | undefined;
}

export function Button({
  kind = 'plain',
  icon,
  label,
  children,
  name,
  value,
  type = 'submit',
  form,
  action,
  unavailable,
}: ButtonProps) {
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  if (unavailable !== undefined && kind === 'row') {
    return (
      <span class="muted">
        <span class="vh">{label ?? children} is not available: </span>
        {unavailable}
      </span>
    );
  }
  if (unavailable !== undefined) {
    return (
      <span class="why">
        <button type="button" class={CLASSES[kind]} aria-disabled="true" aria-label={label}>
          {inside}
          <span class="vh">, {unavailable}</span>
        </button>
        <span class="muted" aria-hidden="true">
          {unavailable}
        </span>
      </span>
    );
  }
  return (
    <button
      type={type}
      class={CLASSES[kind]}
      name={name}
      value={value}
      form={form}
      formAction={action}
      aria-label={label}
    >
      {inside}
    </button>
  );
}

export interface ButtonLinkProps extends Look {
  href: string;
  /** The page is a task that opens in a dialog where there is script. */
  dialog?: boolean | undefined;
}

export function ButtonLink({ kind = 'plain', icon, label, children, href, dialog }: ButtonLinkProps) {
  return (
    <a class={CLASSES[kind]} href={href} aria-label={label} data-dialog={dialog ? 'true' : undefined}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

export interface PostButtonProps extends Omit<ButtonProps, 'type' | 'form' | 'action'> {
  action: string;
  csrf: string;
  /** Further hidden values, `revision` for example; a list is sent value by value. */
  fields?: Record<string, string | number | readonly string[]>;
}

/** One button that posts by itself: an action on a row, Confirm, Revert, Sign out. */
export function PostButton({ action, csrf, fields = {}, ...button }: PostButtonProps) {
  if (button.unavailable !== undefined) return <Button {...button} />;
  return (
    <form class="inline" method="post" action={action}>
      <input type="hidden" name="csrf" value={csrf} />
      {Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((each) => <input key={`${name} ${each}`} type="hidden" name={name} value={each} />),
      )}
      <Button {...button} />
    </form>
  );
}
