// The button that deletes a VLAN, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteVlan } from './delete-vlan.ts';

export const operation = formOf(deleteVlan, {
  path: `${pageRoute('vlan')}/delete`,
  done: () => ({
    location: pagePath('vlans'),
    flash: 'The VLAN is deleted. The host follows at the next apply.',
  }),
});
