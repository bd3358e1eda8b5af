// The words of a role are the rights that it has.
import { expect, test } from '@jest/globals';
import { roleWords } from '../../../../shared/kernel/access/role-words.ts';

test.each([
  ['admin', 'everything'],
  [
    'service-admin',
    'changes everything but interfaces, VLANs, firewall, the certificate of the management UI, vaults, users, archives and recordings of terminals, and applies the saved changes of the whole appliance',
  ],
  [
    'network-admin',
    'changes interfaces, VLANs, firewall and the certificate of the management UI, and applies the saved changes of the whole appliance',
  ],
  ['viewer', 'looks at everything but vaults, users, archives, recordings of terminals and logs'],
] as const)('%s: %s', (role, words) => expect(roleWords(role)).toBe(words));
