// The dialog "Generate FQDNs": inputs, what they come to, and the confirmed steps. Without script it is the content of
// its page and every step is a page load; islands/dialog.ts makes it modal and keeps the preview live.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { HELPER } from '../../shared/vcf/names/dialog-address.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Refusal } from '../components/refusal.tsx';
import { State } from '../components/state-word.tsx';
import type { ShellState } from '../layout/state.ts';
import { CheckTable } from './check-table.tsx';
import { Deletion, Footer } from './dialog-footer.tsx';
import { LABELS, Side } from './dialog-side.tsx';
import { NamesTable } from './names-table.tsx';
import { NetworkStrip } from './network-strip.tsx';
import type { Open } from './vcf-helper.tsx';

export interface DialogProps {
  open: Open;
  state: ShellState;
  outcome: FormOutcome | null;
  writes: boolean;
}

export function Dialog({ open, state, outcome, writes }: DialogProps) {
  const { previewed, checked, deleting, inputs } = open;
  return (
    <dialog class="sheet" id="helper-dialog" open aria-labelledby="dialog-title" data-close={HELPER}>
      <header>
        <h2 id="dialog-title">Generate FQDNs</h2>
        <p role="status">{state.flash && <State kind="ok">{state.flash.text}</State>}</p>
        <ButtonLink kind="row" icon="close" href={HELPER}>
          Close
        </ButtonLink>
      </header>
      <div class="sheet-body">
        <Side open={open} state={state} />
        <div class="sheet-work">
          <Refused open={open} outcome={outcome} />
          {checked && <CheckTable checked={checked} inputs={inputs} />}
          {!checked && previewed && (
            <>
              {previewed.numbered.map((numbered, at) => (
                <NetworkStrip key={numbered.start.text} numbered={numbered} previewed={previewed} at={at} />
              ))}
              <NamesTable preview={previewed.preview} />
            </>
          )}
          {!previewed && <Nothing open={open} />}
        </div>
      </div>
      {deleting && previewed && <Deletion previewed={previewed} inputs={inputs} csrf={state.csrf} writes={writes} />}
      <Footer open={open} state={state} writes={writes} />
    </dialog>
  );
}

/** What was refused, and in its place what would be done now. */
function Refused({ open, outcome }: Pick<DialogProps, 'open' | 'outcome'>) {
  const problem = outcome?.problem ?? null;
  if (problem?.error_code === 'preview_stale') return <Refusal problem={problem} title={staleTitle(open)} />;
  if (problem && open.errors.length === 0) return <Refusal problem={problem} title="Nothing was saved" />;
  if (problem) return <ErrorSummary errors={open.errors} labels={LABELS} />;
  return null;
}

const staleTitle = ({ previewed }: Open): string =>
  previewed?.preview.to_create === 0
    ? 'Nothing more was created: the names are there already'
    : 'Nothing was created: the addresses changed after your preview';

function Nothing({ open: { zones, errors } }: { open: Open }) {
  if (zones.length === 0) {
    return (
      <Empty action={<ButtonLink href={`${pagePath('dns-zones')}/new`}>Add a zone</ButtonLink>}>
        There is no managed zone yet: names are generated in one.
      </Empty>
    );
  }
  return <Empty>{errors[0] ? 'Correct what is marked, and the names are shown here.' : 'Nothing to show.'}</Empty>;
}
