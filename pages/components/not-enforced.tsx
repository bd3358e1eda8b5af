// The calm line below the heading of what is saved and followed, but that no apply makes true on the host yet.
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

export interface NotEnforcedProps {
  /** What an apply does not cover: `NTP`. */
  what: string;
  /** What the unit does not hold yet, as sentences. */
  children?: ComponentChildren;
}

export function NotEnforced({ what, children }: NotEnforcedProps) {
  return (
    <p class="standing">
      <Icon name="info" />
      <span>
        <b>Saved, not enforced:</b> appliance apply does not cover {what} yet.
        {children !== undefined && <> {children}</>}
      </span>
    </p>
  );
}
