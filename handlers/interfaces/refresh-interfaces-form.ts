// The button that reads the host's links anew.

import type { RefreshedInterfaces } from '../../shared/appliance/edits/interface-store.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as refreshInterfaces } from './refresh-interfaces.ts';

export const operation = defineForm(
  { of: refreshInterfaces, path: '/ui/management/interfaces', access: { session: 'write:interfaces' } },
  {
    page: '/ui/management/interfaces',
    decode: () => undefined,
    done: (answer) => ({
      location: '/ui/management/interfaces',
      flash: `The host was read: ${said(answer.body as RefreshedInterfaces)}.`,
    }),
  },
);

function said({ changed, added, vanished, renamed }: RefreshedInterfaces): string {
  if (changed === 0) return 'nothing differs';
  const parts = [
    added.length > 0 && `new ${added.join(', ')}`,
    vanished.length > 0 && `gone ${vanished.join(', ')}`,
    renamed.length > 0 && `renamed ${renamed.join(', ')}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join('; ') : `${changed} ${changed === 1 ? 'interface' : 'interfaces'} updated`;
}
