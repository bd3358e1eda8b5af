// An interface whose adapter was taken out: when it can be forgotten, and what is said of it.
import { describe, expect, test } from '@jest/globals';
import { Problem } from '../../../../shared/ground/problems.ts';
import { deletePhysical, editPhysical } from '../../../../shared/platform/interfaces/edit.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { access, management, trunk, vlan } from './rows.ts';

const OTHERS = [management()];

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('an interface is forgotten', () => {
  const gone = access({ present: false });
  test('once it is gone', () => expect(deletePhysical(gone, [gone, ...OTHERS])).toEqual(OTHERS));

  test.each<[string, NetworkInterface, NetworkInterface[], string]>([
    ['while it is there', access(), [access()], 'state_conflict'],
    ['while VLANs stand on it', trunk({ present: false }), [trunk({ present: false }), vlan(7)], 'still_referenced'],
    ['by another name', gone, OTHERS, 'resource_not_found'],
    ['as a VLAN', vlan(7), [vlan(7)], 'resource_not_found'],
  ])('not %s', (_name, row, all, code) => expect(problemOf(() => deletePhysical(row, all)).code).toBe(code));

  test('and what stands on it is told that it is gone, with its page', () => {
    const off = trunk({ present: false });
    expect(problemOf(() => deletePhysical(off, [off, vlan(7)])).members.blockers).toEqual([
      {
        subject: 'VLAN ens30.7',
        reason: 'ens30 still has VLANs. ens30 is no longer in this machine.',
        page: '/ui/management/vlans/vlan_7',
        unblock: 'Delete these VLANs first.',
      },
    ]);
  });
});

describe('an address of one that is gone', () => {
  test.each<[string, string, NetworkInterface[], RegExp]>([
    [
      'is told so',
      '10.0.0.1/24',
      [access({ present: false })],
      /already has this address\. ens20 is no longer in this machine\. Delete ens20, or take the address from it, first/,
    ],
    [
      'and its network',
      '10.0.0.9/24',
      [access({ present: false })],
      /overlaps that of ens20;.*ens20 is no longer in this machine\. Delete ens20/,
    ],
    [
      'and a VLAN on a trunk that is gone',
      '10.30.7.9/24',
      [trunk({ present: false }), vlan(7)],
      /ens30\.7 stands on ens30, which is no longer in this machine\. Delete ens30\.7/,
    ],
    ['and not of one that is there', '10.0.0.1/24', [access()], /^Interface ens20 already has this address\.$/],
  ])('%s', (_name, ipv4_cidr, others, detail) => {
    const { members, message } = problemOf(() =>
      editPhysical(management(), { ipv4_cidr, ipv4_gateway: '' }, [management(), ...others]),
    );
    expect(message).toMatch(detail);
    expect(members.errors).toEqual([{ pointer: '/ipv4_cidr', detail: message }]);
  });
});
