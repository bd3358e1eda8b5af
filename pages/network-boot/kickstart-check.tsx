// A Kickstart text while it is written: its faults and warnings, how a host would get it, and the saved text for who enters the
// own password. With script the check follows the typing (islands/preview.ts); without it there is a button.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Keys } from '../../shared/ground/sealing/keys.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { faultWords } from '../../shared/services/network-boot/kickstart-text.ts';
import type { Kickstart } from '../../shared/services/network-boot/kickstarts.ts';
import { loadPreview, type Preview } from '../../shared/services/network-boot/load-preview.ts';
import { lookAtText, type TypedText } from '../../shared/services/network-boot/typed-text.ts';
import { OwnPasswordField } from '../account/own-password.tsx';
import { Button } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import type { ShellState } from '../layout/state.ts';

/** Field of the form that is not saved. */
export const PREVIEW_HOST = 'preview_host';
const LOAD_FORM = 'loadKickstartTextForm';
const FORMS: readonly string[] = ['createKickstartForm', 'updateKickstartForm'];

export interface Look {
  /** What is to be said of the text in the form; null while nothing was sent. */
  looked: TypedText | null;
  /** The question for the password, when it was refused. */
  asked: FormOutcome | null;
}

/** What was typed, or else what is saved, after the form was sent and came back. */
export async function lookAtForm(
  db: Database,
  keys: Keys,
  actor: Actor,
  kickstart: Kickstart | null,
  outcome: FormOutcome | null,
): Promise<Look> {
  const asked = outcome?.operation_id === LOAD_FORM && outcome.problem ? outcome : null;
  if (!outcome || !FORMS.includes(outcome.operation_id)) return { looked: null, asked };
  const typed = outcome.values.get('text') ?? '';
  const host_id = outcome.values.get(PREVIEW_HOST) || null;
  // A host that is gone meanwhile must not take the typed text along.
  const look = (host: string | null) => lookAtText(db, actor, typed, host);
  if (typed.trim() !== '') return { looked: await look(host_id).catch(() => look(null)), asked };
  if (!kickstart) return { looked: null, asked };
  const saved = await loadPreview(db, keys, kickstart.id, host_id ?? undefined).catch(() => null);
  return { looked: saved && { faults: saved.warnings, lines: saved.lines }, asked };
}

/** The saved text that was just asked for. */
export function loadedIn(outcome: FormOutcome | null): string | null {
  if (outcome?.operation_id !== LOAD_FORM || outcome.problem) return null;
  return (outcome.result as { text?: string } | null)?.text ?? null;
}

export function numbered(lines: Preview['lines']): string {
  const width = String(lines.length).length;
  return lines.map(({ line, text }) => `${String(line).padStart(width)}  ${text}`).join('\n');
}

/** The panel that the script takes from the answer of a check. */
export function TextCheck({ looked }: { looked: TypedText | null }) {
  return (
    <div id="preview" class="preview">
      {looked && (
        <section class="impact" aria-labelledby="check-title">
          <h2 id="check-title">{titleOf(looked)}</h2>
          {looked.faults.length > 0 && (
            <ul>
              {looked.faults.map((fault) => (
                <li key={`${fault.severity} ${faultWords(fault)}`}>
                  {fault.severity === 'warning' && <strong>Warning. </strong>}
                  {faultWords(fault)}
                </li>
              ))}
            </ul>
          )}
          <More summary="As a host would get it, without secrets">
            <CodeBlock label="Preview of the text">{numbered(looked.lines)}</CodeBlock>
          </More>
        </section>
      )}
    </div>
  );
}

function titleOf({ faults }: TypedText): string {
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const warnings = faults.length - errors;
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const said = [errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning')].filter(Boolean);
  return said.length === 0 ? 'Text checked: no fault' : `Text checked: ${said.join(', ')}`;
}

/** The way to the saved text. */
export function LoadText({
  kickstart,
  asked,
  state,
}: {
  kickstart: Kickstart;
  asked: FormOutcome | null;
  state: ShellState;
}) {
  if (!state.user.scopes.includes('write:pxe')) return null;
  const typed = typedInto(LOAD_FORM, asked);
  return (
    <>
      <Refused typed={typed} labels={{ [OWN_PASSWORD]: 'Your password' }} />
      <More summary="Load the saved text…">
        <Form action={`${pagePath('kickstart', kickstart.id)}/text`} csrf={state.csrf} label="Load the saved text">
          <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
          <FormActions note="The form below is filled with the saved text. The audit log records it.">
            <Button>Load text</Button>
          </FormActions>
        </Form>
      </More>
    </>
  );
}
