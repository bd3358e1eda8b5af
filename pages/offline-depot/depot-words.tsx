// Words that the pages of the offline depot share: where they lie, and what has to hold before others can use it.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { ConditionCode, MissingCondition } from '../../shared/services/offline-depot/serving/availability.ts';
import { CONDITIONS } from '../../shared/services/offline-depot/serving/availability.ts';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';

export const DEPOT = { href: pagePath('offline-depot'), label: 'Offline depot' };
export const USER_LABELS = { name: 'Name', password: 'Password' };

export const userHref = (id: string): string => `${DEPOT.href}/users/${encodeURIComponent(id)}`;

const HOLDS: Readonly<Record<ConditionCode, { holds: string; lacks: string; go: string }>> = {
  enabled: { holds: 'It is on', lacks: 'It is off', go: 'Settings' },
  applied: { holds: 'What is saved is in force', lacks: 'What is saved is not in force', go: 'Appliance apply' },
  certificate: {
    holds: 'Its certificate is of our own authority',
    lacks: 'It has no certificate of our own authority',
    go: 'Certificate authority',
  },
  software_depot_id: {
    holds: 'It has a software depot ID',
    lacks: 'It has no software depot ID',
    go: 'Software depot ID',
  },
  http_user: { holds: 'A depot user is chosen', lacks: 'No depot user is chosen', go: 'Settings' },
};

/** Each condition, whether it holds, and where it is seen to. */
export function Conditions({ missing }: { missing: readonly MissingCondition[] }) {
  return (
    <ul class="conditions">
      {CONDITIONS.map((code) => {
        const found = missing.find((each) => each.code === code);
        const { holds, lacks, go } = HOLDS[code];
        return (
          <li key={code}>
            <State kind={found ? 'warn' : 'ok'}>{found ? lacks : holds}</State>
            {found && (
              <>
                <span class="muted">{found.text}</span>
                <ButtonLink kind="row" href={found.page}>
                  {go}
                </ButtonLink>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
