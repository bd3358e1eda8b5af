// What was looked at before a deployment: on top in a line for each thing that needs somebody, in whole above the button,
// what is as it has to be behind a line that counts it.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Check, CheckState } from '../../shared/vcf/deployment/check.ts';
import { counted } from '../../shared/vcf/deployment/check.ts';
import { Note } from '../components/block.tsx';
import { More } from '../components/code.tsx';
import { Icon } from '../components/icons.tsx';
import { State, type StateKind } from '../components/state-word.tsx';

const WORDS: Record<CheckState, { kind: StateKind; word: string }> = {
  ok: { kind: 'ok', word: 'as it has to be' },
  warning: { kind: 'warn', word: 'look at this' },
  refused: { kind: 'bad', word: 'has to be put right' },
};

/** The step that says what a check is about, by the beginning of its id. */
const STEPS: readonly [id: string, step: string, label: string][] = [
  ['ova', 'appliance', 'Appliance'],
  ['name', 'appliance', 'Appliance'],
  ['host', 'placement', 'Placement'],
  ['space', 'placement', 'Placement'],
  ['networks', 'placement', 'Placement'],
  ['target', 'server', 'Server'],
  ['properties', 'properties', 'Properties'],
  ['dns', 'properties', 'Properties'],
  ['address-free', 'properties', 'Properties'],
  ['ntp', 'properties', 'Properties'],
  ['dns-extra', 'after', 'After the start'],
];

const idOf = ({ id }: Check): string => `check-${id.replaceAll(/[^\w-]+/g, '-')}`;
const of = (checks: readonly Check[], state: CheckState) => checks.filter((check) => check.state === state);

/** What needs somebody, in a line each, which leads to the whole of it. */
export function ChecksSummary({ checks }: { checks: readonly Check[] }) {
  const [refused, warnings] = [of(checks, 'refused'), of(checks, 'warning')];
  if (refused.length + warnings.length === 0) {
    return <Note icon="check">{counted(checks.length, 'thing')} looked at: all as it has to be.</Note>;
  }
  const counts = [
    ...(refused.length > 0 ? [`${counted(refused.length, 'thing')} to be put right before anything is queued`] : []),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
  ];
  return (
    <div class={refused.length > 0 ? 'summary' : 'summary summary-warn'} role="alert" tabIndex={-1} id="looked">
      <Icon name={refused.length > 0 ? 'stop' : 'warn'} />
      <div>
        <h2>{counts.join(', ')}</h2>
        <ul>
          {[...refused, ...warnings].map((check) => (
            <li key={check.id}>
              <a href={`#${idOf(check)}`}>
                {check.title}: {check.said}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** @param hrefOf address of a step */
export function Checks({ checks, hrefOf }: { checks: readonly Check[]; hrefOf: (step: string) => string }) {
  const fine = of(checks, 'ok');
  const rest = [...of(checks, 'refused'), ...of(checks, 'warning')];
  return (
    <section aria-labelledby="checks-title" class="looked">
      <h3 id="checks-title">What was looked at</h3>
      {rest.length > 0 && <CheckList checks={rest} hrefOf={hrefOf} />}
      {fine.length > 0 && (
        <More
          summary={
            rest.length > 0 ? `${fine.length} more, as they have to be` : `All ${fine.length}, as they have to be`
          }
        >
          <CheckList checks={fine} hrefOf={hrefOf} />
        </More>
      )}
    </section>
  );
}

function CheckList({ checks, hrefOf }: { checks: readonly Check[]; hrefOf: (step: string) => string }) {
  return (
    <ul class="checks">
      {checks.map((check) => {
        const { id, title, state, said, way_out } = check;
        const way = state === 'ok' ? null : wayOf(check, hrefOf);
        return (
          <li key={id} id={idOf(check)} class={`check-${state}`}>
            <b>{title}</b>
            {state !== 'ok' && <State kind={WORDS[state].kind}>{WORDS[state].word}</State>}
            <p>
              {said} {way_out !== '' && <span class="way-out">{way_out}</span>}{' '}
              {way && <a href={way.href}>Go to {way.label}</a>}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** To the password of the depot, which is typed beside it, to the page that has to be set up, or to the step. */
function wayOf({ id }: Check, hrefOf: (step: string) => string): { href: string; label: string } | null {
  if (id === 'depot-extra') return { href: '#depot_password', label: 'the password' };
  if (id.startsWith('depot-extra ')) return { href: pagePath('offline-depot'), label: 'Offline depot' };
  if (id === 'trust-extra') return { href: pagePath('certificate-authority'), label: 'Certificate authority' };
  const found = STEPS.find(([name]) => id.split(' ')[0] === name);
  return found ? { href: hrefOf(found[1]), label: found[2] } : null;
}
