// The calm line below the heading of what is saved and followed, but that no apply makes true on the host yet.
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import { State } from './state-word.tsx';

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

/** Whether a service is meant to be on. Dashed, since nothing of it runs. */
export function Meant({ enabled }: { enabled: boolean }) {
  return enabled ? <State kind="pending">On, not enforced</State> : <State kind="off">Off</State>;
}
