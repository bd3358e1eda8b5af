// Where a value is revealed: the question for the own password, or the value with the time that it stays. The script takes
// the answer into the page and hides it (islands/reveal.ts); without it the browser leaves the page by itself.
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { REVEAL_SECONDS } from '../../shared/platform/vaults/form-fields.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FormActions, HiddenField, TextField } from '../components/form.tsx';
import { Icon } from '../components/icons.tsx';
import { Refusal } from '../components/refusal.tsx';
import { Ring } from '../components/ring.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { entryHref } from './vault-words.tsx';

export const REVEAL_FORM = 'revealVaultEntryForm';
/** Below it the ring warns, seconds. */
const LOW = 5;

/** The answer of the form, when there is one to show. */
export function revealedIn(outcome: FormOutcome | null): string | null {
  if (outcome?.operation_id !== REVEAL_FORM || outcome.problem) return null;
  return (outcome.result as { value?: string } | null)?.value ?? null;
}

export interface RevealPlaceProps {
  entry: VaultEntry;
  csrf: string;
  outcome: FormOutcome | null;
  /** The page has nothing else: the field takes the focus. */
  alone?: boolean;
}

export function RevealPlace({ entry, csrf, outcome, alone }: RevealPlaceProps) {
  const value = revealedIn(outcome);
  return (
    <div class="reveal" data-reveal-place={alone ? 'alone' : ''}>
      {value === null ? (
        <Question entry={entry} csrf={csrf} outcome={outcome} alone={alone === true} />
      ) : (
        <Shown entry={entry} value={value} />
      )}
    </div>
  );
}

function Question({ entry, csrf, outcome, alone }: RevealPlaceProps) {
  const { errors, of, outcome: own } = typedInto(REVEAL_FORM, outcome);
  const problem = errors.length === 0 ? own?.problem : null;
  return (
    <>
      {problem && <Refusal problem={problem} title="The value was not shown" />}
      <form
        class="form"
        method="post"
        action={`${entryHref(entry)}/reveal`}
        aria-label={`Reveal the value of ${entry.key}`}
        data-reveal
      >
        <HiddenField name="csrf" value={csrf} />
        <TextField
          name="password"
          label="Your password"
          type="password"
          value=""
          autocomplete="current-password"
          help={`Your own, for this appliance. That you looked is recorded; the value is shown for ${REVEAL_SECONDS} seconds.`}
          required
          error={of('password')}
        />
        <FormActions>
          <Button kind={alone ? 'primary' : 'plain'}>Reveal</Button>
        </FormActions>
      </form>
    </>
  );
}

function Shown({ entry, value }: { entry: VaultEntry; value: string }) {
  const back = entryHref(entry);
  return (
    <section class="revealed" data-revealed={REVEAL_SECONDS} data-back={back} aria-labelledby="revealed-title">
      <Ring left={REVEAL_SECONDS} of={REVEAL_SECONDS} low={LOW} />
      <div>
        <h2 id="revealed-title" tabIndex={-1}>
          Value of <span class="mono">{entry.key}</span>
        </h2>
        <div class="secret-value">
          <code id="revealed-value">{value}</code>
          <button type="button" class="btn" data-copy="revealed-value" hidden>
            <Icon name="copy" />
            Copy
          </button>
          <ButtonLink href={back} label="Hide the value now">
            Hide
          </ButtonLink>
        </div>
        <p class="muted">Recorded in the audit log. It is hidden after {REVEAL_SECONDS} seconds.</p>
      </div>
    </section>
  );
}
