// What an import did: keys by what became of them, never a value.

import type { ComponentChildren } from 'preact';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Facts } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import type { StepProps } from './wizard.tsx';

export function Done({ view }: StepProps) {
  const result = view.draft?.result;
  if (!result) return null;
  const { vault, vault_id, created, rotated, unchanged, missing } = result;
  return (
    <>
      <p role="status">
        <State kind={missing.length > 0 ? 'warn' : 'ok'}>
          {missing.length > 0 ? 'Imported, but not all of it' : 'Imported'}
        </State>
      </p>
      <Facts
        facts={[
          { label: 'Vault', value: vault },
          { label: 'Created', value: created.length },
          { label: 'Rotated', value: rotated.length },
          { label: 'Unchanged', value: unchanged.length },
          { label: 'Not imported', value: missing.length },
        ]}
      />
      {missing.length > 0 && (
        <section class="impact">
          <h2>Not imported</h2>
          <ul>
            {missing.map(({ key, detail }) => (
              <li key={key}>
                <code>{key}</code>: {detail}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Keys label="Created" keys={created} />
      <Keys label="Rotated" keys={rotated} />
      <Keys label="Unchanged" keys={unchanged} />
      <div class="actions">
        <ButtonLink kind="primary" href={pagePath('vault', vault_id)}>
          Open the vault
        </ButtonLink>
        <ButtonLink href={view.task.path}>Import from another appliance</ButtonLink>
      </div>
    </>
  );
}

function Keys({ label, keys }: { label: string; keys: readonly string[] }): ComponentChildren {
  if (keys.length === 0) return null;
  return (
    <More summary={`${label}: ${keys.length}`}>
      <ul class="keys">
        {keys.map((key) => (
          <li key={key}>
            <code>{key}</code>
          </li>
        ))}
      </ul>
    </More>
  );
}
