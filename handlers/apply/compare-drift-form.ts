// "Compare now": leads back to the page of the apply.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as compareDrift } from './compare-drift.ts';

const PAGE = pagePath('apply');

export const operation = formOf(compareDrift, {
  path: `${PAGE}/drift/compare`,
  page: PAGE,
  done(answer) {
    const { items } = answer.body as { items: { state: string; label: string }[] };
    const differ = items.filter(({ state }) => state === 'drifted').map(({ label }) => label);
    const said =
      differ.length === 0 ? 'the host matches what was applied' : `changed on the host: ${differ.join(', ')}`;
    return { location: PAGE, flash: `Compared: ${said}.` };
  },
});
