// The button that reads the host's links anew.

import type { RefreshedInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as refreshInterfaces } from './refresh-interfaces.ts';

export const operation = formOf(refreshInterfaces, {
  path: pagePath('interfaces'),
  done: (answer) => ({
    location: pagePath('interfaces'),
    flash: `The host was read: ${said(answer.body as RefreshedInterfaces)}.`,
  }),
});

function said({ changed, added, vanished, renamed }: RefreshedInterfaces): string {
  if (changed === 0) return 'nothing differs';
  const parts = [
    added.length > 0 && `new ${added.join(', ')}`,
    vanished.length > 0 && `gone ${vanished.join(', ')}`,
    renamed.length > 0 && `renamed ${renamed.join(', ')}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join('; ') : `${changed} ${changed === 1 ? 'interface' : 'interfaces'} updated`;
}
