// The strips below the top bar: saved but not applied, being applied, waiting for a person's confirmation.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink, PostButton } from './button.tsx';
import { Icon } from './icons.tsx';
import { countdown } from './time.tsx';

export const APPLY_PATH = pagePath('apply');

/** One act has one name: in the strip, on the page of the plan and on that of its job. */
export const ROLL_BACK = 'Roll back now';

export interface PendingUnit {
  id: string;
  label: string;
}

interface PendingStripProps {
  pending: readonly PendingUnit[];
  csrf: string;
  /** Units of the plan that is looked at: it need not be made once more. */
  planned?: readonly string[];
}

/** Names the changed units; the button makes a plan of them and shows it. */
export function PendingStrip({ pending, csrf, planned = [] }: PendingStripProps) {
  if (pending.length === 0) return null;
  return (
    <section class="strip" aria-label="Pending changes">
      <Icon name="pending" />
      <p>
        <span>
          <b>{pending.length === 1 ? '1 unit changed' : `${pending.length} units changed`}</b>
          <span class="on-wide">, not applied</span>
        </span>
        {pending.map(({ id, label }) => (
          <span key={id}>{label}</span>
        ))}
      </p>
      {planned.length > 0 && <span class="muted">{inPlan(pending, planned)}</span>}
      {!pending.every(({ id }) => planned.includes(id)) && (
        <PostButton action={APPLY_PATH} csrf={csrf}>
          Review changes
        </PostButton>
      )}
    </section>
  );
}

/** `All 3 are in this plan`, `2 of 3 are in this plan`. */
function inPlan(pending: readonly PendingUnit[], planned: readonly string[]): string {
  const count = pending.filter(({ id }) => planned.includes(id)).length;
  if (count < pending.length) return `${count} of ${pending.length} are in this plan`;
  return count === 1 ? 'It is in this plan' : `All ${count} are in this plan`;
}

export interface RunningApply {
  job_id: string;
  plan_id: string;
  /** What it does now: "DNS and DHCP, 2 of 3 units". */
  text: string;
  /** To stop it is to roll it back: it has a confirm window. */
  rolls_back?: boolean;
  /** Somebody asked to stop it. */
  stopping?: boolean;
}

export function RunningStrip({ running }: { running: RunningApply }) {
  return (
    <section class="strip" aria-label="Apply in progress" data-job={running.job_id}>
      <Icon name="clock" />
      <p>
        <b>A plan is being applied</b>
        <span>{running.text}</span>
      </p>
      <ButtonLink href={`${APPLY_PATH}/${running.plan_id}`}>Follow it</ButtonLink>
    </section>
  );
}

/** On every page until a verified copy has every key. `archives`: their page; null for whoever may not open it. */
export function KeysStrip({ archives }: { archives: string | null }) {
  return (
    <section class="strip strip-keys" aria-label="Keys without a copy">
      <Icon name="warn" />
      <p>
        <b>Keys without a copy.</b>{' '}
        <span class="on-wide">
          Some keys are in no verified copy of an archive. If this appliance is lost, what they encrypt is lost too.
        </span>
      </p>
      {archives !== null && <ButtonLink href={archives}>Archives</ButtonLink>}
    </section>
  );
}

export interface ConfirmNotice {
  job_id: string;
  plan_id: string;
  /** Seconds until it goes back by itself. */
  left: number;
  /** RFC 3339 instant of that. */
  reverts_at: string;
  /** Seconds that the window was opened or last extended for. */
  timeout_seconds: number;
  /** Seconds that “More time” extends it to, from now; 0 when the window has used up its time in all. */
  more_seconds: number;
  /** Null for whoever may not apply. */
  nonce: string | null;
  /** Whether a confirmation proves something where this page is looked at. */
  here: boolean;
  /** The plan's page where it does; null where that is not known. */
  elsewhere: string | null;
}

/** On every page while a plan waits for its confirmation; the page of the plan says more. */
export function ConfirmStrip({ confirm, csrf }: { confirm: ConfirmNotice; csrf: string }) {
  const { job_id, plan_id, left, reverts_at } = confirm;
  const page = `${APPLY_PATH}/${plan_id}`;
  const minutes = Math.floor(left / 60);
  return (
    <section class="strip strip-confirm" aria-label="Confirm window" data-job={job_id}>
      <span
        class="left"
        role="timer"
        data-until={reverts_at}
        aria-label={`${minutes} minutes ${left % 60} seconds left`}
      >
        {countdown(left)}
      </span>
      <p>
        <b>In force, waiting for you.</b> Unless it is confirmed, <a href={page}>the plan</a> rolls back at{' '}
        {reverts_at.slice(11, 19)} UTC.
        <ConfirmPlace confirm={confirm} />
      </p>
      {confirm.nonce !== null && <ConfirmButtons confirm={confirm} csrf={csrf} nonce={confirm.nonce} />}
    </section>
  );
}

function ConfirmPlace({ confirm: { here, elsewhere } }: { confirm: ConfirmNotice }) {
  if (here) return null;
  return (
    <span class="muted line">
      {elsewhere ? (
        <>
          It can't be confirmed from here: sign in at <a href={elsewhere}>{new URL(elsewhere).host}</a> and confirm
          there.
        </>
      ) : (
        'It can only be confirmed over the network, at an address of the management UI.'
      )}
    </span>
  );
}

function ConfirmButtons({ confirm, csrf, nonce }: { confirm: ConfirmNotice; csrf: string; nonce: string }) {
  const page = `${APPLY_PATH}/${confirm.plan_id}`;
  return (
    <>
      {confirm.here && (
        <PostButton kind="primary" icon="check" action={`${page}/confirm`} csrf={csrf} fields={{ nonce }}>
          Confirm
        </PostButton>
      )}
      <PostButton kind="bad" icon="revert" action={`${page}/cancel`} csrf={csrf}>
        {ROLL_BACK}
      </PostButton>
      {confirm.more_seconds > 0 && (
        <PostButton action={`${page}/extend`} csrf={csrf} fields={{ confirm_timeout: confirm.more_seconds }}>
          More time
        </PostButton>
      )}
    </>
  );
}
