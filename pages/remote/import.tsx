// Importing passwords from an appliance into a vault: which, under which keys, reviewed, done. Values are on none of it.

import { listItems } from '../../shared/platform/units/collection-store.ts';
import { vaults as allVaults } from '../../shared/platform/vaults/vault-store.ts';
import { SELECT_MOST } from '../../shared/vcf/remote/import/selection.ts';
import { IMPORT_TASK } from '../../shared/vcf/remote/wizard.ts';
import { loadWizard, WIZARD_QUERY, type WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { COMMON_LABELS, CommonStep } from './common-steps.tsx';
import { Done } from './import-done.tsx';
import { Review } from './import-review.tsx';
import { Select } from './import-select.tsx';
import { Wizard } from './wizard.tsx';

export interface ImportData {
  view: WizardView;
  vaults: { id: string; name: string }[];
}

export const page = definePage({
  id: 'passwordImportPage',
  path: IMPORT_TASK.path,
  current: IMPORT_TASK.above.href,
  access: { session: IMPORT_TASK.scope },
  query: WIZARD_QUERY,
  async load(context): Promise<ImportData> {
    const view = await loadWizard(IMPORT_TASK, context);
    const choosing = view.place.step === 'select';
    const vaults = choosing ? (await listItems(context.db, allVaults, { limit: 1000 })).items : [];
    return { view, vaults: vaults.map(({ id, name }) => ({ id, name })) };
  },
  title: () => IMPORT_TASK.title,
  view: Import,
});

const LABELS = { ...COMMON_LABELS, picks: 'Passwords', into: 'Vault', new_vault: 'New vault' };
const OWN = { select: Select, review: Review, done: Done } as const;

function Import({ data, state, outcome }: ViewProps<ImportData>) {
  const { view, vaults } = data;
  const typed = typedInto(outcome?.operation_id ?? '', outcome);
  const props = { view, state, typed, vaults };
  const Own = OWN[view.place.step as keyof typeof OWN];
  const keys = view.draft?.found?.candidates.slice(0, SELECT_MOST * 4) ?? [];
  const labels = { ...LABELS, ...Object.fromEntries(keys.map(({ ref, key }) => [`key.${ref}`, key])) };
  return (
    <Wizard {...props} labels={labels}>
      {Own ? <Own {...props} /> : <CommonStep {...props} />}
    </Wizard>
  );
}
