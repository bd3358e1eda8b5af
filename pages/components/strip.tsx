// The strips below the top bar: saved but not applied, being applied, waiting for a person's confirmation.
import type { ComponentChildren } from 'preact';
import { ButtonLink, PostButton } from './button.tsx';
import { Icon } from './icons.tsx';
import { countdown } from './time.tsx';

export const APPLY_PATH = '/ui/management/appliance-apply';

export interface PendingUnit {
  id: string;
  label: string;
}

/** Names the changed units; the button makes a plan of them and shows it. */
export function PendingStrip({ pending, csrf }: { pending: readonly PendingUnit[]; csrf: string }) {
  if (pending.length === 0) return null;
  return (
    <section class="strip" aria-label="Pending changes">
      <Icon name="pending" />
      <p>
        <span>
          <b>{pending.length === 1 ? '1 unit changed' : `${pending.length} units changed`}</b>, not applied
        </span>
        {pending.map(({ id, label }) => (
          <span key={id}>{label}</span>
        ))}
      </p>
      <PostButton action={APPLY_PATH} csrf={csrf}>
        Review changes
      </PostButton>
    </section>
  );
}

export interface RunningApply {
  job_id: string;
  plan_id: string;
  /** What it does now: "DNS/DHCP (dnsmasq), 2 of 3 units". */
  text: string;
}

export function RunningStrip({ running }: { running: RunningApply }) {
  return (
    <section class="strip" aria-label="Apply in progress" data-job={running.job_id}>
      <Icon name="clock" />
      <p>
        <b>
          <code>{running.plan_id}</code> is being applied
        </b>
        <span>{running.text}</span>
      </p>
      <ButtonLink href={`${APPLY_PATH}/${running.plan_id}`}>Follow it</ButtonLink>
    </section>
  );
}

export interface ConfirmStripProps {
  plan_id: string;
  /** Seconds until it reverts by itself. */
  left: number;
  /** RFC 3339 instant of that. */
  reverts_at: string;
  csrf: string;
  /** Where Confirm and Revert post to. */
  confirm: string;
  revert: string;
  /** Whether the person's own way to this page is touched. */
  note?: ComponentChildren;
}

export function ConfirmStrip({ plan_id, left, reverts_at, csrf, confirm, revert, note }: ConfirmStripProps) {
  const minutes = Math.floor(left / 60);
  return (
    <section class="strip strip-confirm" aria-label="Confirm window">
      <span
        class="left"
        role="timer"
        data-until={reverts_at}
        aria-label={`${minutes} minutes ${left % 60} seconds left`}
      >
        {countdown(left)}
      </span>
      <p>
        <b>Applied, waiting for you.</b> Without Confirm, <code>{plan_id}</code> goes back at {reverts_at.slice(11, 19)}{' '}
        UTC.
        {note !== undefined && <span class="muted line">{note}</span>}
      </p>
      <PostButton kind="primary" icon="check" action={confirm} csrf={csrf}>
        Confirm
      </PostButton>
      <PostButton kind="bad" icon="revert" action={revert} csrf={csrf}>
        Revert now
      </PostButton>
    </section>
  );
}
