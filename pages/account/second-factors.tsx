// The own second factors: which there are, and the ways to more.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { listFactors, type SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { mustHaveFactor } from '../../shared/kernel/access/second-factor/policy.ts';
import { recoveryCodesLeft } from '../../shared/kernel/access/second-factor/recovery-codes.ts';
import { FactorTable } from '../access/factor-table.tsx';
import { Note } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';

interface Factors {
  factors: SecondFactor[];
  left: number;
  required: boolean;
}

export const page = definePage({
  id: 'secondFactorsPage',
  path: pagePath('second-factors'),
  current: ACCOUNT_PATH,
  access: { session: 'any' },
  load: async ({ db, actor }): Promise<Factors> => ({
    factors: await listFactors(db, actor.user_id!),
    left: await recoveryCodesLeft(db, actor.user_id!),
    required: await mustHaveFactor(db, actor.role!),
  }),
  title: () => 'Second factors',
  view: SecondFactors,
});

function SecondFactors({ data: { factors, left, required }, state }: ViewProps<Factors>) {
  return (
    <>
      <PageHead
        title="Second factors"
        intro="What you sign in with beside your password. API tokens need none."
        trail={[{ href: ACCOUNT_PATH, label: 'Your account' }]}
      >
        <ButtonLink kind="primary" icon="plus" href={`${pagePath('second-factors')}/totp`}>
          Add authenticator app
        </ButtonLink>
        <ButtonLink href={`${pagePath('second-factors')}/passkeys`}>Add passkey</ButtonLink>
      </PageHead>
      {required && factors.length === 0 && (
        <Note icon="warn">Your role must have a second factor: at the next sign-in you are asked to add one.</Note>
      )}
      <FactorTable
        factors={factors}
        now={state.now}
        actions={({ id, name }) => (
          <ButtonLink kind="row" href={pagePath('second-factor', id)} label={`Remove ${name}`}>
            Remove
          </ButtonLink>
        )}
      />
      {factors.length > 0 && (
        <section class="below" aria-labelledby="codes-title">
          <h2 id="codes-title">Recovery codes</h2>
          <p>
            {left === 0
              ? 'You have none left. Without one, who loses the second factor needs an administrator.'
              : `Not used yet: ${left}.`}
          </p>
          <p>
            <ButtonLink href={`${pagePath('second-factors')}/recovery-codes`}>Make new recovery codes</ButtonLink>
          </p>
        </section>
      )}
    </>
  );
}
