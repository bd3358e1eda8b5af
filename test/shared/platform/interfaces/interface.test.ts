// The row of an interface as it is read: roles and modes of earlier releases too.
import { expect, test } from '@jest/globals';
import { interfaceFromRow, rowFromInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { access } from './rows.ts';

test('persisted services and storage are read as access, routed as access', () => {
  const read = (role: string) => interfaceFromRow({ ...rowFromInterface(access()), role, mode: 'routed' });
  expect(['services', 'Storage', 'route', 'bogus'].map((role) => read(role).role)).toEqual([
    'access',
    'access',
    'route',
    'unused',
  ]);
  expect(read('access')).toEqual(access());
});
