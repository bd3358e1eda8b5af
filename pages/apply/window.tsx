// The confirm window on the page of its plan: why it is there, where the plan is to be confirmed, how long is left, and how
// it ended.
import { WINDOW } from '../../shared/appliance/apply/window/record.ts';
import type { WindowView } from '../../shared/appliance/apply/window/view.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Block, Note } from '../components/block.tsx';
import { Button } from '../components/button.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { Form, TextField } from '../components/form.tsx';
import { APPLY_PATH, type ConfirmNotice, ROLL_BACK } from '../components/strip.tsx';
import { countdown, ExactInstant } from '../components/time.tsx';
import type { ShellState } from '../layout/state.ts';

/** The same page at an address of the appliance. */
export interface Place {
  address: string;
  href: string;
}

export interface WindowData {
  view: WindowView;
  /** Where the plan was submitted; null when unknown. */
  old: Place | null;
  /** Where it is to be confirmed. */
  places: Place[];
}

export interface WindowPanelProps {
  plan_id: string;
  window: WindowData;
  state: ShellState;
  outcome: FormOutcome | null;
}

/** While the window is to be opened or is open. */
export function WindowPanel({ plan_id, window, state, outcome }: WindowPanelProps) {
  const { view } = window;
  const { confirm } = state;
  return (
    <section class="window" aria-labelledby="confirm">
      <h2 id="confirm">{HEADINGS[view.state] ?? 'To be confirmed'}</h2>
      {view.state === 'damaged' && (
        <Note icon="warn">
          The record of the confirm window is damaged. “{ROLL_BACK}” puts the previous files back, as far as they were
          kept. <a href={APPLY_PATH}>Clearing the record with a reason</a> does the same. Without either, it happens by
          itself when the {view.timeout_seconds} seconds of the window are over.
        </Note>
      )}
      {view.because.length > 0 && (
        <ul class="says">
          {view.because.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {view.state !== 'damaged' && view.state !== 'reverting' && <Where window={window} confirm={confirm} />}
      {confirm && confirm.plan_id === plan_id && confirm.nonce !== null && (
        <MoreTime
          plan_id={plan_id}
          confirm={confirm}
          most={view.extendable_seconds ?? 0}
          csrf={state.csrf}
          outcome={outcome}
        />
      )}
      <noscript>
        <p>
          <a href={`${APPLY_PATH}/${plan_id}`}>Load this page again</a> to see the time that is left.
        </p>
      </noscript>
    </section>
  );
}

const HEADINGS: Partial<Record<WindowView['state'], string>> = {
  opening: 'To be confirmed once it is in force',
  applying: 'To be confirmed once it is in force',
  open: 'Applied for now: rolls back unless you confirm',
  reverting: 'It is being rolled back',
  damaged: 'This plan can’t be confirmed: roll it back',
};

function Where({ window: { view, old, places }, confirm }: { window: WindowData; confirm: ConfirmNotice | null }) {
  // Where it is confirmed already, nobody has to be sent there.
  const moved = places.length > 0 && !confirm?.here && !places.some(({ address }) => address === old?.address);
  return (
    <>
      <dl class="facts">
        {old && (
          <div>
            <dt>Submitted at</dt>
            <dd>
              <PlaceLink place={old} />
            </dd>
          </div>
        )}
        <div>
          <dt>To be confirmed at</dt>
          <dd>
            {places.length === 0
              ? 'an address of the management UI'
              : places.map((place) => (
                  <span key={place.address} class="line">
                    <PlaceLink place={place} />
                  </span>
                ))}
          </dd>
        </div>
        {view.deadline_at && (
          <div>
            <dt>Rolls back at</dt>
            <dd>
              <ExactInstant at={view.deadline_at} />
            </dd>
          </div>
        )}
        <div>
          <dt>Time to confirm</dt>
          <dd>{confirm ? <Left confirm={confirm} /> : `${view.timeout_seconds} s from when it is in force`}</dd>
        </div>
      </dl>
      <Lost places={places} deadline_at={view.deadline_at} />
      {moved && (
        <Note icon="warn">
          The address changes: this page stops answering here. Open it at the new address, sign in again there (a
          session belongs to one address) and press Confirm. Until somebody does, the plan goes back by itself.
        </Note>
      )}
    </>
  );
}

/** A script shows it where this page's address stopped answering. */
function Lost({ places, deadline_at }: { places: Place[]; deadline_at: string | null }) {
  if (places.length === 0) return null;
  return (
    <div data-lost role="alert" hidden>
      <Block title="The appliance does not answer at this address any more">
        Go on at{' '}
        {places.map((place, at) => (
          <span key={place.address}>
            {at > 0 && ' or '}
            <PlaceLink place={place} />
          </span>
        ))}
        : sign in there and press Confirm. If nobody answers there either, everything goes back by itself
        {deadline_at ? ` at ${deadline_at.slice(11, 19)} UTC` : ' once the time to confirm is over'}, and this page goes
        on here.
      </Block>
    </div>
  );
}

const PlaceLink = ({ place: { address, href } }: { place: Place }) => (
  <a href={href}>
    <code>{address}</code>
  </a>
);

function Left({ confirm: { left, reverts_at } }: { confirm: ConfirmNotice }) {
  return (
    <>
      <span role="timer" data-until={reverts_at}>
        {countdown(left)}
      </span>{' '}
      left
    </>
  );
}

interface MoreTimeProps {
  plan_id: string;
  confirm: ConfirmNotice;
  /** The longest extension that is left, seconds from now. */
  most: number;
  csrf: string;
  outcome: FormOutcome | null;
}

/** Confirming and putting back are in the strip above, as on every page. */
function MoreTime({ plan_id, confirm, most, csrf, outcome }: MoreTimeProps) {
  if (most < WINDOW.least)
    return (
      <Note>
        The window can’t be extended any more: it may last {WINDOW.in_all / 60} minutes in all, which are nearly over.
      </Note>
    );
  const own = outcome?.operation_id === 'extendPlanForm' ? outcome : null;
  const errors = (own?.problem?.errors as FieldError[] | undefined) ?? [];
  return (
    <Form action={`${APPLY_PATH}/${plan_id}/extend`} csrf={csrf} look="stack" label="More time">
      <TextField
        name="confirm_timeout"
        label="Seconds from now"
        inputmode="numeric"
        value={own?.values.get('confirm_timeout') ?? Math.min(confirm.timeout_seconds, Math.max(WINDOW.least, most))}
        help={`At most ${most} seconds now; ${WINDOW.in_all / 60} minutes in all.`}
        error={errorOf(errors, 'confirm_timeout')}
      />
      <Button>More time</Button>
    </Form>
  );
}

/** How a window ended that was not confirmed: what happened, by whom, why, and what was done. `why` is what failed. */
export function WindowEnded({ view: { state, ended }, why }: { view: WindowView; why: string | undefined }) {
  if (!ended || ended.cause === 'confirmed' || state === 'closed') return null;
  return (
    <Block
      level={2}
      title={state === 'unreverted' ? 'Not everything could be rolled back' : 'The plan was rolled back'}
    >
      <span class="line">
        {CAUSES[ended.cause] ?? why} Rolled back by {ended.by}, <ExactInstant at={ended.at} />.
      </span>
      {ended.said.map((sentence) => (
        <span key={sentence} class="line">
          {sentence}.
        </span>
      ))}
    </Block>
  );
}

const CAUSES: Record<string, string> = {
  timeout: 'Nobody confirmed it in time.',
  cancelled: 'Somebody stopped it.',
  restart: 'The machine was restarted before it was confirmed.',
};
