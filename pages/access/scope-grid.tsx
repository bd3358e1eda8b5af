// The scopes that a token may get: one line a resource, read and write side by side.
import { SCOPES } from '../../shared/kernel/access/scopes.ts';
import { ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { Icon } from '../components/icons.tsx';
import { presetsFor, SCOPE_NAMES } from './scope-words.ts';

export interface ScopeGridProps {
  /** Scopes of the creator's role: no others are offered. */
  offered: readonly string[];
  chosen: readonly string[];
  error: string | undefined;
}

interface Line {
  resource: keyof typeof SCOPE_NAMES;
  read: string | null;
  write: string | null;
}

/** In the order of the published list. */
export function scopeLines(offered: readonly string[]): Line[] {
  const resources = [...new Set(SCOPES.map((scope) => scope.split(':')[1] as Line['resource']))];
  const given = (scope: string) => (offered.includes(scope) ? scope : null);
  return resources
    .map((resource) => ({ resource, read: given(`read:${resource}`), write: given(`write:${resource}`) }))
    .filter(({ read, write }) => read !== null || write !== null);
}

export function ScopeGrid({ offered, chosen, error }: ScopeGridProps) {
  const lines = scopeLines(offered);
  const first = lines[0]?.read ?? lines[0]?.write;
  return (
    <fieldset id="scopes-begin" aria-describedby={error === undefined ? 'scopes-help' : 'scopes-error scopes-help'}>
      <legend>Scopes</legend>
      <p class="muted" id="scopes-help">
        Write includes read. A token never reaches further than your role does.
      </p>
      <p class="begin">
        <span>Begin with</span>
        {presetsFor(offered).map(({ id, label }) => (
          <ButtonLink key={id} kind="plain" href={`?preset=${id}#scopes-begin`}>
            {label}
          </ButtonLink>
        ))}
      </p>
      {error !== undefined && (
        <p class="err" id="scopes-error">
          <Icon name="stop" />
          <span>{error}</span>
        </p>
      )}
      <div class="scopes">
        {lines.map(({ resource, read, write }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset in columns can't be laid out as a grid by every browser
          <div key={resource} role="group" aria-label={SCOPE_NAMES[resource]}>
            <span title={[read, write].filter(Boolean).join(', ')}>{SCOPE_NAMES[resource]}</span>
            {[read, write].map((scope, index) =>
              scope === null ? (
                <span key={index === 0 ? 'read' : 'write'} />
              ) : (
                <label key={scope}>
                  <input
                    type="checkbox"
                    id={scope === first ? 'scopes' : `scope-${scope.replace(':', '-')}`}
                    name="scopes"
                    value={scope}
                    checked={chosen.includes(scope)}
                    aria-invalid={error === undefined ? undefined : 'true'}
                  />
                  {index === 0 ? 'read' : 'write'}
                </label>
              ),
            )}
          </div>
        ))}
      </div>
      <More summary="Codes of the scopes, for the API">
        <FactsList
          facts={lines.map(({ resource, read, write }) => ({
            label: SCOPE_NAMES[resource],
            value: <code>{[read, write].filter(Boolean).join(' ')}</code>,
          }))}
        />
      </More>
    </fieldset>
  );
}
